// analysis.js - the three linked trees of an analysis page. A line that is closed shows all that is in it, an open one what its children
// do not show. Regions show shares of the selected metric, threads shares of the selected region; a group of regions or threads has
// nothing of its own, and stands for all in it when it is selected. The state is in the address
// (#metric=3&region=0&system=0&open=m0.r0), so that a view can be linked. Text only ever enters the page as text, never as markup.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const NOTHING = 1e-12; // of what is shared out: what is left of rounding

  // metric, region and leaf -> [value, partial, spread]
  const cells = new Map();
  const keyOf = (metric, region, leaf) => `${metric} ${region} ${leaf}`;
  for (const [metric, region, leaf, value, partial, spread] of data.values) cells.set(keyOf(metric, region, leaf), [value, partial, spread]);

  const makeTree = (id, letter, nodes) => {
    const children = nodes.map(() => []);
    const roots = [];
    nodes.forEach((node, i) => (node.parent === undefined ? roots : children[node.parent]).push(i));
    const isShown = (i) => nodes[i].isShown !== false;
    return { id, letter, nodes, children, shown: children.map((list) => list.filter(isShown)), roots: roots.filter(isShown), list: document.getElementById(id), of: document.getElementById(`${id}-of`) };
  };
  const metrics = makeTree("metric", "m", data.metrics);
  const regions = makeTree("region", "r", data.regions);
  const system = makeTree("system", "s", data.system);
  const panes = [metrics, regions, system];
  const everywhere = (tree) => [...new Set(tree.nodes.flatMap((node) => node.of))];

  // What is where: { value, partial, count of the cells with a value }, or null. Ratios do not add up.
  const total = (metric, where, leaves) => {
    const sum = { value: 0, partial: false, count: 0, spread: 0 };
    for (const region of where) {
      for (const leaf of leaves) {
        const cell = cells.get(keyOf(metric, region, leaf));
        if (!cell) continue;
        sum.value += cell[0];
        sum.partial ||= cell[1];
        sum.spread = Math.max(sum.spread, cell[2] || 0);
        sum.count += 1;
      }
    }
    return sum.count && (data.metrics[metric].isSum || where.length * leaves.length === 1) ? sum : null;
  };

  // What is left of `all` without `parts`; where one of them lacks a value, more seems to be left than there is.
  const rest = (all, parts) => {
    if (!all) return null;
    const left = { ...all };
    for (const part of parts) {
      left.value -= part ? part.value : 0;
      left.partial ||= !part || part.partial || part.count < all.count;
    }
    if (Math.abs(left.value) <= NOTHING * Math.abs(all.value)) left.value = 0;
    return left;
  };

  const view = { metric: metrics.roots[0], region: 0, system: 0, open: new Set() };
  const isOpen = (tree, i) => tree.shown[i].length > 0 && view.open.has(tree.letter + i);

  const metricValue = (i, where, leaves) => {
    const all = total(i, where, leaves);
    return isOpen(metrics, i) ? rest(all, metrics.children[i].map((child) => total(child, where, leaves))) : all;
  };
  // of a line of regions or threads: an open group has nothing left
  const groupValue = (tree, i, where, leaves) => {
    const all = metricValue(view.metric, where, leaves);
    return all && isOpen(tree, i) ? { ...all, value: 0, partial: false } : all;
  };

  const rootOf = (tree, i) => {
    while (tree.nodes[i].parent !== undefined) i = tree.nodes[i].parent;
    return i;
  };

  // Per tree: the value of a line, and the one that is 100 %.
  const everyRegion = everywhere(regions), everyLeaf = everywhere(system);
  const shown = {
    metric: (i) => [metricValue(i, everyRegion, everyLeaf), total(rootOf(metrics, i), everyRegion, everyLeaf)],
    region: (i) => [groupValue(regions, i, regions.nodes[i].of, everyLeaf), metricValue(view.metric, everyRegion, everyLeaf)],
    system: (i) => [groupValue(system, i, regions.nodes[view.region].of, system.nodes[i].of), metricValue(view.metric, regions.nodes[view.region].of, everyLeaf)],
  };

  const number = (value) => Number.isInteger(value) ? value.toLocaleString("en") : Math.abs(value) >= 1000
    ? value.toLocaleString("en", { maximumFractionDigits: 1 }) : String(Number(value.toPrecision(7)));
  const amount = (found) => (found ? (found.partial ? "~" : "") + number(found.value) : "-");
  const share = (found, base) => (found && base && base.value !== 0 ? (100 * found.value) / base.value : null);
  const percent = (part) => {
    if (part === null) return "";
    const size = Math.abs(part);
    return size >= 10 ? `${part.toFixed(1)} %` : size >= 0.01 || size === 0 ? `${Number(part.toPrecision(2))} %` : "<0.01 %";
  };

  const element = (name, className, text, parent) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    parent.append(made);
    return made;
  };

  const addLine = (tree, i, level, list) => {
    const [found, base] = shown[tree.id](i);
    const part = share(found, base);
    const line = element("li", "", undefined, list);
    const hasChildren = tree.shown[i].length > 0;
    line.role = "treeitem";
    line.id = tree.letter + i;
    line.ariaLevel = String(level);
    line.ariaSelected = String(view[tree.id] === i);
    line.tabIndex = -1;
    line.setAttribute("aria-labelledby", `${line.id}-line`);
    if (hasChildren) line.ariaExpanded = String(isOpen(tree, i));
    const row = element("div", "line", undefined, line);
    row.id = `${line.id}-line`;
    const box = element("span", "box", undefined, row);
    if (part !== null) box.style.setProperty("--part", `${Math.min(Math.max(part, 0), 100)}%`);
    element("span", hasChildren ? "twist" : "twist none", undefined, row);
    element("span", "value", amount(found), row);
    element("span", "percent", percent(part), row);
    element("span", "name", tree.nodes[i].name, row);
    if (isOpen(tree, i)) {
      const inner = element("ul", "", undefined, line);
      inner.role = "group";
      for (const child of tree.shown[i]) addLine(tree, child, level + 1, inner);
    }
  };

  const numberOf = (line) => Number(line.id.slice(1));
  const lines = (tree) => [...tree.list.querySelectorAll("[role=treeitem]")];

  // One line of each tree is in the order of Tab: the selected one, if it is shown.
  const markTabStop = (tree, wanted) => {
    const all = lines(tree);
    const stop = all.find((line) => line === wanted) || all.find((line) => line.ariaSelected === "true") || all[0];
    for (const line of all) line.tabIndex = line === stop ? 0 : -1;
  };

  const tell = () => {
    const list = document.getElementById("selected");
    list.replaceChildren();
    const metric = data.metrics[view.metric];
    const where = regions.nodes[view.region], who = system.nodes[view.system];
    const found = metricValue(view.metric, where.of, who.of);
    const facts = [["value", amount(found) + (metric.unit ? ` ${metric.unit}` : "") + (found ? "" : metric.isSum ? "" : ": a ratio, which does not add up; select one region and one thread")],
      ["of", `${metric.name}${isOpen(metrics, view.metric) ? ", what its children do not show" : ""}; ${where.name}; ${who.name}`],
      ["definition", `${metric.kind}: ${metric.text}${metric.where ? ` (${metric.where})` : ""}`]];
    const without = [...metrics.children[view.metric].filter((i) => !data.metrics[i].isShown).map((i) => data.metrics[i].name), ...(metric.lacks || [])];
    if (without.length) facts.push(["without", without.join(", ")]);
    if (metric.about) facts.push(["what it is", metric.about]);
    if (found) facts.push(["values", `${found.count} of ${where.of.length * who.of.length} (regions times threads)` +
      (found.partial ? "; incomplete sum" : "") + (found.spread ? `; runs differ by up to ${Number(found.spread.toPrecision(3))} %` : "")]);
    for (const [name, text] of facts) {
      element("dt", "", name, list);
      element("dd", "", text, list);
    }
  };

  const show = () => {
    const focused = document.activeElement && document.activeElement.closest("[role=treeitem]");
    for (const tree of panes) {
      tree.list.replaceChildren();
      for (const root of tree.roots) addLine(tree, root, 1, tree.list);
      markTabStop(tree, focused && document.getElementById(focused.id));
    }
    if (focused) {
      const again = document.getElementById(focused.id);
      if (again) again.focus({ preventScroll: true });
    }
    const metric = data.metrics[view.metric];
    metrics.of.textContent = "in all regions and threads, % of the tree's root";
    regions.of.textContent = `${metric.name}${metric.unit ? `, ${metric.unit}` : ""}, % of the selected metric`;
    system.of.textContent = `${metric.name} in ${regions.nodes[view.region].name}, % of the selected region`;
    tell();
  };

  // An address without a view, as links to sections are, leaves the view as it is.
  const readAddress = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!["metric", "region", "system", "open"].some((name) => state.has(name))) return;
    for (const tree of panes) {
      const i = Number(state.get(tree.id));
      view[tree.id] = tree.nodes[i] && tree.nodes[i].isShown !== false ? i : tree.roots[0];
    }
    view.open = new Set((state.get("open") || "").split(".").filter(Boolean));
  };

  const writeAddress = () => {
    const state = new URLSearchParams(panes.map((tree) => [tree.id, String(view[tree.id])]));
    const open = [...view.open].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
    if (open.length) state.set("open", open.join("."));
    history.replaceState(null, "", `#${state}`);
    show();
  };

  const select = (tree, i) => {
    view[tree.id] = i;
    writeAddress();
  };

  // What is selected stays visible: a closed line takes over from those in it.
  const toggle = (tree, i) => {
    const name = tree.letter + i;
    if (!view.open.delete(name)) view.open.add(name);
    else for (let up = view[tree.id]; up !== undefined; up = tree.nodes[up].parent) if (up === i) view[tree.id] = i;
    writeAddress();
  };

  const focus = (tree, line) => {
    if (!line) return;
    markTabStop(tree, line);
    line.focus();
  };

  const KEYS = {
    ArrowDown: (tree, line, all) => focus(tree, all[all.indexOf(line) + 1]),
    ArrowUp: (tree, line, all) => focus(tree, all[all.indexOf(line) - 1]),
    Home: (tree, line, all) => focus(tree, all[0]),
    End: (tree, line, all) => focus(tree, all[all.length - 1]),
    ArrowRight: (tree, line) => (line.ariaExpanded === "false" ? toggle(tree, numberOf(line)) : focus(tree, line.querySelector("[role=treeitem]"))),
    ArrowLeft: (tree, line) => (line.ariaExpanded === "true" ? toggle(tree, numberOf(line)) : focus(tree, line.parentElement.closest("[role=treeitem]"))),
    Enter: (tree, line) => select(tree, numberOf(line)),
    " ": (tree, line) => select(tree, numberOf(line)),
  };

  for (const tree of panes) {
    tree.list.addEventListener("keydown", (event) => {
      const line = event.target.closest("[role=treeitem]");
      if (!line || !KEYS[event.key] || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      KEYS[event.key](tree, line, lines(tree));
    });
    tree.list.addEventListener("click", (event) => {
      const row = event.target.closest(".line");
      if (!row) return;
      focus(tree, row.parentElement);
      const i = numberOf(row.parentElement);
      if (event.target.closest(".twist:not(.none)")) toggle(tree, i);
      else select(tree, i);
    });
  }
  addEventListener("hashchange", () => {
    readAddress();
    show();
  });
  if (panes.some((tree) => !tree.roots.length)) return;
  for (const tree of [regions, system]) tree.nodes.forEach((_, i) => tree.children[i].length > 0 && view.open.add(tree.letter + i));
  readAddress();
  document.getElementById("trees").hidden = false;
  show();
})();

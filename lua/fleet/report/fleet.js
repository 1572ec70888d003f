// fleet.js - the heat map and the sorting of a fleet's page. Only what is in view is drawn, so that thousands of nodes are no matter. Text
// only ever enters the page as text, never as markup.
"use strict";
(() => {
  const { metrics, nodes, letters } = JSON.parse(document.getElementById("data").textContent);
  const view = document.getElementById("window"), canvas = document.getElementById("canvas"), extent = document.getElementById("extent");
  const form = document.getElementById("choices"), output = document.getElementById("cell");
  const context = canvas.getContext("2d");
  const NAMES = 110; // pixels of the hosts' names
  const middle = (letters.length - 1) / 2;
  const levels = new Map([...letters].map((letter, i) => [letter, (i - middle) / 10]));
  const exact = nodes.map((node) => new Map(node.outliers));
  const standsOut = new Set(nodes.flatMap((node) => node.outliers.map(([metric]) => metric)));

  let rows = [], columns = [], chosen = { row: 0, column: 0 };
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const level = (node, metric) => levels.get(nodes[node].cells[metric]); // undefined: no value, or no peers
  const byName = (a, b) => nodes[a].host.localeCompare(nodes[b].host, "en", { numeric: true });

  const ORDERS = {
    differ: (a, b) => nodes[b].differs - nodes[a].differs || byName(a, b),
    host: byName,
    group: (a, b) => nodes[a].group - nodes[b].group || byName(a, b),
    metric: (a, b) => Math.abs(level(b, columns[chosen.column]) ?? -1) - Math.abs(level(a, columns[chosen.column]) ?? -1) || byName(a, b),
  };

  const size = () => Number(form.elements.size.value);

  const draw = () => {
    const step = size(), width = view.clientWidth, height = view.clientHeight, ratio = window.devicePixelRatio || 1;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    canvas.style.width = width + "px";
    canvas.style.height = height + "px";
    extent.style.width = NAMES + columns.length * step + "px";
    extent.style.height = rows.length * step + "px";
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const [paper, ink, below, above, none] = ["--paper", "--ink", "--s1", "--s6", "--raised"].map(colour);
    context.fillStyle = paper;
    context.fillRect(0, 0, width, height);
    const firstRow = Math.floor(view.scrollTop / step), firstColumn = Math.floor(view.scrollLeft / step);
    const lastRow = Math.min(rows.length, firstRow + Math.ceil(height / step) + 1);
    const lastColumn = Math.min(columns.length, firstColumn + Math.ceil(width / step) + 1);
    for (let r = firstRow; r < lastRow; r++) {
      const y = r * step - view.scrollTop;
      for (let c = firstColumn; c < lastColumn; c++) {
        const found = level(rows[r], columns[c]);
        context.globalAlpha = found === undefined ? 1 : Math.abs(found) > 1 ? 1 : 0.6 * Math.abs(found);
        context.fillStyle = found === undefined ? none : found < 0 ? below : above;
        context.fillRect(NAMES + c * step - view.scrollLeft, y, step > 4 ? step - 1 : step, step > 4 ? step - 1 : step);
      }
      context.globalAlpha = 1;
      context.fillStyle = paper;
      context.fillRect(0, y, NAMES, step);
      if (step >= 8) {
        context.fillStyle = ink;
        context.font = Math.min(step, 12) + "px sans-serif";
        context.fillText(nodes[rows[r]].host.slice(0, 17), 4, y + step - 3);
      }
    }
    context.strokeStyle = ink;
    context.lineWidth = 2;
    context.strokeRect(NAMES + chosen.column * step - view.scrollLeft, chosen.row * step - view.scrollTop, step, step);
  };

  const describe = () => {
    const node = rows[chosen.row], metric = columns[chosen.column];
    if (node === undefined || metric === undefined) return "";
    const found = level(node, metric), value = exact[node].get(metric);
    const where = `${nodes[node].host}, group ${nodes[node].group}: ${metrics[metric]}: `;
    if (value !== undefined) return `${where}${value} %, stands out`;
    if (found === undefined) return where + (nodes[node].cells[metric] === "." ? "too few peers" : "no value");
    return `${where}${Math.abs(found).toFixed(1)} of its limit ${found < 0 ? "below" : "above"} the median`;
  };

  const choose = (row, column) => {
    chosen = { row: Math.max(0, Math.min(rows.length - 1, row)), column: Math.max(0, Math.min(columns.length - 1, column)) };
    output.value = describe();
    draw();
  };

  const arrange = () => {
    const few = form.elements.few.checked;
    const kept = columns[chosen.column];
    columns = metrics.map((_, i) => i).filter((i) => !few || standsOut.has(i));
    chosen.column = Math.max(0, columns.indexOf(kept));
    rows = nodes.map((_, i) => i).sort(ORDERS[form.elements.rows.value]);
    choose(0, chosen.column);
  };

  const reveal = () => {
    const step = size();
    view.scrollTop = Math.min(Math.max(view.scrollTop, (chosen.row + 1) * step - view.clientHeight), chosen.row * step);
    view.scrollLeft = Math.min(Math.max(view.scrollLeft, NAMES + (chosen.column + 1) * step - view.clientWidth), chosen.column * step);
  };

  const KEYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  view.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      form.elements.rows.value = "metric";
      arrange();
    } else if (KEYS[event.key]) {
      choose(chosen.row + KEYS[event.key][0], chosen.column + KEYS[event.key][1]);
      reveal();
    } else return;
    event.preventDefault();
  });
  canvas.addEventListener("mousemove", (event) => {
    const box = canvas.getBoundingClientRect(), step = size();
    const x = event.clientX - box.left - NAMES;
    if (x >= 0) choose(Math.floor((event.clientY - box.top + view.scrollTop) / step), Math.floor((x + view.scrollLeft) / step));
  });
  view.addEventListener("scroll", draw);
  window.addEventListener("resize", draw);
  form.addEventListener("change", arrange);
  form.elements.few.checked = standsOut.size > 0;
  form.elements.size.value = nodes.length > 200 ? "8" : "14";
  arrange();

  // The table of all nodes.
  const table = document.getElementById("table"), heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
    const sign = head.getAttribute("aria-sort") === "descending" ? 1 : -1;
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
    const text = (row) => row.cells[column].textContent;
    const sorted = [...table.tBodies[0].rows].sort((a, b) => sign * text(a).localeCompare(text(b), "en", { numeric: true }));
    table.tBodies[0].append(...sorted);
  }));
})();

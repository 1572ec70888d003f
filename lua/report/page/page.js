// page.js - sorting, filters and samples of the report page. The state is in the address (#level=MEM&sort=max&dir=descending),
// so that a view can be linked and the back button works. Text only ever enters the page as text, never as markup.
"use strict";
(() => {
  const rows = JSON.parse(document.getElementById("data").textContent);
  const table = document.getElementById("table");
  const form = document.getElementById("filters");
  const bodies = [...table.tBodies];
  const tiles = [...document.querySelectorAll(".tile")];
  const headers = [...table.querySelectorAll("[data-sort]")];
  const SELECTS = ["pattern", "level", "code", "group", "kind"].filter((name) => form.elements[name]);
  const COLUMNS = headers.map((button) => button.dataset.sort);

  const readState = () => new URLSearchParams(location.hash.slice(1));
  const isView = (state) => [...SELECTS, "q", "verdict", "sort"].some((name) => state.has(name));

  const matches = (row, state) => {
    const verdict = state.get("verdict");
    if (verdict && row.verdict !== verdict) return false;
    if (SELECTS.some((name) => state.get(name) && row[name] !== state.get(name))) return false;
    const words = (state.get("q") || "").toLowerCase().split(/\s+/).filter(Boolean);
    const text = [row.verdict, row.pattern, row.code, row.level, row.placement, row.group, row.metric, row.class, row.reason].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };

  // Absent values come last in either direction; equal ones keep the record's order.
  const compare = (key, sign) => (a, b) => {
    const x = rows[a][key], y = rows[b][key];
    if (x === undefined || y === undefined) return (x === undefined) - (y === undefined) || a - b;
    const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
    return sign * order || a - b;
  };

  const show = () => {
    const state = readState();
    const key = COLUMNS.includes(state.get("sort")) ? state.get("sort") : null;
    const descending = state.get("dir") === "descending";
    const order = rows.map((_, i) => i);
    if (key) order.sort(compare(key, descending ? -1 : 1));
    let shown = 0;
    for (const i of order) {
      bodies[i].hidden = !matches(rows[i], state);
      shown += bodies[i].hidden ? 0 : 1;
    }
    table.append(...order.map((i) => bodies[i]));
    for (const button of headers) {
      button.parentElement.ariaSort = button.dataset.sort !== key ? "none" : descending ? "descending" : "ascending";
    }
    for (const tile of tiles) tile.ariaPressed = String(tile.dataset.verdict === state.get("verdict"));
    for (const name of [...SELECTS, "q"]) form.elements[name].value = state.get(name) || "";
    form.querySelector("output").value = shown === rows.length ? `${shown} metrics` : `${shown} of ${rows.length} metrics`;
  };

  const setState = (changes) => {
    const state = isView(readState()) ? readState() : new URLSearchParams();
    for (const [name, value] of Object.entries(changes)) {
      if (value) state.set(name, value);
      else state.delete(name);
    }
    history.replaceState(null, "", "#" + state);
    show();
  };

  const element = (name, text, parent) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (parent) parent.append(made);
    return made;
  };

  const digits = (value, count) => (value === null || value === undefined ? "-" : String(Number(value.toPrecision(count))));
  const percent = (value) => (value > 0 ? "+" : "") + digits(value, 3);
  const span = (s) => `min ${percent(s.min)}, avg ${percent(s.avg)}, max ${percent(s.max)}, sd ${digits(s.sd, 3)} %`;

  // Name and text of every fact that the row has.
  const facts = (row) => {
    const unit = row.unit ? " " + row.unit : "";
    const found = [];
    if (row.reason) found.push(["reason", row.reason]);
    if (row.errata && row.errata.length) found.push(["errata", row.errata.join(", ")]);
    if (row.tolerance !== undefined) found.push(["tolerance", `±${row.tolerance} %`]);
    if (row.min !== undefined) found.push(["error", span(row)]);
    const detects = row.resolution;
    if (detects) {
      const noticed = [];
      if (detects.factor_up !== undefined) noticed.push(`times ${digits(detects.factor_up, 6)}`);
      if (detects.factor_down !== undefined) noticed.push(`times ${digits(detects.factor_down, 6)}`);
      if (detects.offset !== undefined) noticed.push(`${digits(detects.offset, 4)}${detects.offset_unit ? " " + detects.offset_unit : ""} more in every region`);
      found.push(["would have noticed", noticed.join(", ") || "nothing"]);
    }
    if (row.residue) found.push(["residue, % of the work", span(row.residue)]);
    if (row.fit) found.push(["fit", `measured = ${digits(row.fit.offset, 4)} + ${digits(row.fit.factor, 6)} · expected, r² = ${digits(row.fit.r2, 6)}`]);
    const correction = row.correction;
    if (correction) {
      const unitOfOffset = correction.offset_unit ? " " + correction.offset_unit : "";
      found.push(["correction", `true = (measured - ${digits(correction.offset, 6)}${unitOfOffset}) / ${digits(correction.factor, 6)}`]);
      if (correction.error_pct) found.push(["corrected error", span(correction.error_pct)]);
    }
    const threshold = row.threshold;
    if (threshold && threshold.value !== undefined) {
      found.push(["threshold", `pattern present ${threshold.present_is} ${digits(threshold.value, 4)}${unit}` +
        (threshold.margin !== undefined ? `, controls ${digits(threshold.margin, 3)} times apart` : "")]);
    }
    const oracles = row.oracles;
    if (oracles) {
      found.push(["oracles", ["reported", "predicted", "counted", "simulated"].filter((name) => oracles[name] !== undefined)
        .map((name) => `${name} ${digits(oracles[name], 6)}${unit}`).join(", ")]);
    }
    return found;
  };

  const SAMPLE = ["point", "rep", "thread", "measured", "expected from", "nominal", "to", "error %", "remark"];
  const sampleTable = (row, parent) => {
    if (!row.samples.length) {
      element("p", "No samples.", parent);
      return;
    }
    const box = element("div", undefined, parent);
    box.className = "samples";
    box.tabIndex = 0;
    const made = element("table", undefined, box);
    element("caption", `${row.samples.length} samples${row.unit ? ", in " + row.unit : ""}`, made);
    const head = made.createTHead().insertRow();
    SAMPLE.forEach((title, i) => {
      const cell = element("th", title, head);
      cell.scope = "col";
      if (i > 0 && i < 8) cell.className = "n";
    });
    const body = made.createTBody();
    for (const sample of row.samples) {
      const line = body.insertRow();
      sample.forEach((value, i) => {
        const cell = line.insertCell();
        if (i > 0 && i < 8) cell.className = "n";
        cell.textContent = i < 3 || i === 8 ? value ?? (i === 8 ? "" : "-") : i === 7 ? (value === null ? "-" : percent(value)) : digits(value, 7);
      });
    }
  };

  const toggle = (body) => {
    const button = body.querySelector(".open");
    const isOpen = button.ariaExpanded === "true";
    button.ariaExpanded = String(!isOpen);
    if (isOpen) {
      body.rows[1].remove();
      return;
    }
    const row = rows[body.dataset.i];
    const cell = body.insertRow().insertCell();
    cell.className = "detail";
    cell.colSpan = COLUMNS.length + 1;
    const list = element("dl", undefined, cell);
    for (const [name, text] of facts(row)) {
      element("dt", name, list);
      element("dd", text, list);
    }
    sampleTable(row, cell);
  };

  table.tHead.addEventListener("click", (event) => {
    const button = event.target.closest("[data-sort]");
    if (!button) return;
    const state = readState();
    const again = state.get("sort") === button.dataset.sort;
    setState({ sort: button.dataset.sort, dir: again && state.get("dir") !== "descending" ? "descending" : "" });
  });
  table.addEventListener("click", (event) => {
    const body = event.target.closest("tbody[data-i]");
    if (body && !event.target.closest(".detail") && !String(getSelection())) toggle(body);
  });
  for (const tile of tiles) {
    tile.addEventListener("click", () => setState({ verdict: tile.ariaPressed === "true" ? "" : tile.dataset.verdict }));
  }
  form.addEventListener("input", (event) => setState({ [event.target.name]: event.target.value }));
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    history.replaceState(null, "", "#metrics");
    show();
  });
  addEventListener("hashchange", show);
  show();
})();

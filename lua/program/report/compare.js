// compare.js - opens and closes what is in a metric of a comparison. What is closed is in the address (#closed=1.3.1.7: region and row, twice).
"use strict";
(() => {
  const rows = [...document.querySelectorAll("[data-row]")];
  const byName = new Map(rows.map((row) => [row.dataset.row, row]));
  const closed = new Set();

  const isHidden = (row) => {
    const parent = byName.get(row.dataset.parent);
    return parent !== undefined && (closed.has(row.dataset.parent) || isHidden(parent));
  };

  const show = () => {
    for (const row of rows) {
      row.hidden = isHidden(row);
      const button = row.querySelector("button");
      if (button) button.ariaExpanded = String(!closed.has(row.dataset.row));
    }
  };

  const readAddress = () => {
    const state = new URLSearchParams(location.hash.slice(1));
    if (!state.has("closed")) return;
    closed.clear();
    const numbers = state.get("closed").split(".");
    for (let i = 0; i + 1 < numbers.length; i += 2) closed.add(`${numbers[i]}.${numbers[i + 1]}`);
  };

  const toggle = (name) => {
    if (!closed.delete(name)) closed.add(name);
    history.replaceState(null, "", `#${new URLSearchParams({ closed: [...closed].join(".") })}`);
    show();
  };

  for (const name of new Set(rows.map((row) => row.dataset.parent).filter(Boolean))) {
    const head = byName.get(name).querySelector("th");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "open";
    button.ariaLabel = `what is in ${head.textContent}`;
    button.addEventListener("click", () => toggle(name));
    head.prepend(button);
  }
  addEventListener("hashchange", () => {
    readAddress();
    show();
  });
  readAddress();
  show();
})();

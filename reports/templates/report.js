// Nothing on the page needs this: it makes tables sortable, and shows one variant or player count of them all.
(() => {
  const said = (cell) => cell.textContent.trim();
  const tables = [...document.querySelectorAll(".scroll > table")].filter((table) => table.tBodies[0].rows.length > 2);
  const heads = (table) => [...table.tHead.rows[0].cells];
  const rows = (table) => [...table.tBodies[0].rows];

  const number = (cell) => parseFloat(said(cell).replace(/^\u2212/, "-").replace(/,(?=\d{3})/g, ""));

  const sort = (table, head, at) => {
    const way = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const cells = rows(table).map((row) => row.cells[at]);
    const numbers = cells.every((cell) => !Number.isNaN(number(cell)) || said(cell) === "\u2013");
    const order = (a, b) => {
      if (!numbers) return way * said(a).localeCompare(said(b), "en", { numeric: true });
      const unknown = Number.isNaN(number(a)) - Number.isNaN(number(b)); // these stay at the end
      return unknown || way * (number(a) - number(b)) || 0;
    };
    heads(table).forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", way > 0 ? "ascending" : "descending");
    table.classList.add("sorted");
    table.tBodies[0].append(...cells.sort(order).map((cell) => cell.parentNode));
  };

  for (const table of tables) {
    heads(table).forEach((head, at) => {
      if (!said(head)) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head, at));
    });
  }

  const picked = {};
  const show = () => {
    for (const table of tables) {
      const asked = heads(table).map((head) => picked[said(head)] || "");
      rows(table).forEach((row) => {
        row.hidden = asked.some((value, at) => value && said(row.cells[at]) !== value);
      });
    }
  };
  const bar = document.createElement("form");
  bar.className = "pick screen";
  for (const [name, all] of [["variant", "all variants"], ["players", "all player counts"]]) {
    const found = tables.flatMap((table) => {
      const at = heads(table).findIndex((head) => said(head) === name);
      return at < 0 ? [] : rows(table).map((row) => said(row.cells[at]));
    });
    const values = [...new Set(found)];
    if (values.length < 2) continue;
    const select = document.createElement("select");
    select.append(new Option(all, ""), ...values.map((value) => new Option(value, value)));
    select.addEventListener("change", () => {
      picked[name] = select.value;
      show();
    });
    const label = document.createElement("label");
    label.append(`Tables: ${name} `, select);
    bar.append(label);
  }
  if (bar.children.length) document.querySelector("nav").after(bar);
})();

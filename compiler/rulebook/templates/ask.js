// Buttons that ask examples, questions and charts anew. What answers is loaded when the first of them is pressed.
"use strict";
const LIVE = {};
(() => {
  const { root, script } = document.body.dataset;
  const places = [...document.querySelectorAll("[data-live]")];
  if (!places.length || typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") return;

  const load = (address) => new Promise((done, failed) => {
    const tag = document.createElement("script");
    tag.src = address;
    tag.onload = done;
    tag.onerror = () => failed(new Error(`${address} is not there`));
    document.head.append(tag);
  });
  // A page that was opened from a file may not fetch; it may load scripts.
  let started;
  const start = () => {
    started ??= (async () => {
      for (const name of ["module-memory.js", "module.js", "panel.js", "chart-forms.js"]) await load(`${root}live/${name}`);
      await load(script);
      LIVE.memory = await LIVE.openMemory(LIVE.module, LIVE.page);
    })();
    return started;
  };

  const open = async (place, button) => {
    button.disabled = true;
    try {
      await start();
      button.hidden = true;
      const show = place.dataset.chart ? LIVE.showForm : LIVE.showPanel;
      show(place);
    } catch (error) {
      const said = document.createElement("p");
      said.className = "note";
      said.setAttribute("role", "alert");
      said.textContent = `This page cannot answer here: ${error.message}.`;
      button.after(said);
    }
  };

  for (const place of places) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "again";
    const name = place.dataset.live;
    button.textContent = place.dataset.chart ? "Work it out" : name.startsWith("term:") ? "Ask it" : "Ask again";
    button.addEventListener("click", () => open(place, button));
    place.hidden = false;
    place.append(button);
  }
})();

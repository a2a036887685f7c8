// Long work beside the page: its progress, a button that stops it, and what it came to.

import { h } from "./dom.js";
import { read, write } from "./api.js";

const PAUSE = 400;

/** Begin a sentence: commands report their stages in small letters. */
const begun = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Follow a job in `place`; gives its data, or null if it was stopped. A new one in the same place ends the one before. */
export async function follow(place, job) {
  const bar = h("progress", { "aria-label": "Progress" });
  const told = h("span", { role: "status" }, "Starting …");
  const stop = h("button", { type: "button", onclick: () => write("stop", { job }) }, "Stop");
  place.replaceChildren(h("p", { class: "job" }, bar, " ", told, " ", stop));
  for (;;) {
    const state = await read("job", { job });
    const { what, done, of } = state.progress;
    if (of) {
      bar.max = of;
      bar.value = done;
    }
    if (what) told.textContent = begun(of ? `${what}: ${done} of ${of}` : `${what} …`);
    if (!state.running) {
      place.replaceChildren(state.stopped ? h("p", { class: "hint" }, "Stopped.") : "");
      if (state.error) throw new Error(state.error);
      return state.data;
    }
    if (!place.isConnected) {
      await write("stop", { job });
      return null;
    }
    await new Promise((later) => setTimeout(later, PAUSE));
  }
}

// The page: which room is shown, by what stands behind # in its address.

import { h, notice, redraw } from "./dom.js";
import { ROOMS, FIRST } from "./rooms.js";

const main = document.getElementById("main");
let room = null;
let shown = "";
let entered = false;
const last = Object.fromEntries(Object.entries(ROOMS).map(([name, [, , home]]) => [name, home]));

/** Read the address: a room, what is in it, and what is chosen there. */
function place() {
  const [path, query = ""] = location.hash.slice(2).split("?");
  const [name, ...rest] = path.split("/");
  const asked = new URLSearchParams(query);
  return { name, what: decodeURIComponent(rest.join("/")), changes: asked.getAll("c"), chosen: asked.get("s") ?? "" };
}

async function show() {
  const here = place();
  if (!(here.name in ROOMS)) {
    location.replace(FIRST);
    return;
  }
  last[here.name] = location.hash;
  const [title, Made] = ROOMS[here.name];
  document.title = `${title} · Rulewright`;
  drawNavigation(here.name);
  const moved = shown !== here.name;
  try {
    if (shown !== here.name) {
      room?.leave?.();
      room = new Made(main);
      shown = here.name;
    }
    await room.show(here);
    // Who came by a link stands where the room begins, not at the top of the page again.
    if (moved && document.activeElement === document.body && entered) main.focus({ preventScroll: true });
    entered = true;
  } catch (problem) {
    shown = "";
    main.replaceChildren(
      h("section", { class: "empty" }, h("h1", {}, "This cannot be shown"), h("p", {}, problem.message),
        h("p", {}, h("a", { href: "#/situations" }, "Choose a situation"))),
    );
  }
}

function drawNavigation(current) {
  redraw(document.getElementById("rooms"),
    ...Object.entries(ROOMS).map(([name, [title]]) =>
      h("a", { href: last[name], "aria-current": name === current ? "page" : null }, title)),
  );
}

function night() {
  const button = document.getElementById("night");
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  const kept = localStorage.getItem("rulewright-theme");
  if (kept) document.documentElement.dataset.theme = kept;
  button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    localStorage.setItem("rulewright-theme", document.documentElement.dataset.theme);
    button.setAttribute("aria-pressed", String(dark()));
  });
}

night();
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => notice(event.reason?.message ?? "something went wrong"));
show();

// The page: which view is shown, by what stands behind # in its address.

import { h, notice, redraw } from "./dom.js";
import { VIEWS, FIRST } from "./views.js";

// Without a position or a game in their address, these views lead to where one is chosen.
const NEEDS_POSITION = new Set(["table", "play"]);
const main = document.getElementById("main");
let view = null;
let shown = "";
let entered = false;
const last = Object.fromEntries(Object.entries(VIEWS).map(([name, [, , home]]) => [name, home]));

/** Read the address: a view, what is in it, and what is chosen there. */
function place() {
  const [path, query = ""] = location.hash.slice(2).split("?");
  const [name, ...rest] = path.split("/");
  const asked = new URLSearchParams(query);
  let what = "";
  try {
    what = decodeURIComponent(rest.join("/"));
  } catch {
    throw new Error("The address of this page is damaged.");
  }
  return { name, what, changes: asked.getAll("c"), chosen: asked.get("s") ?? "" };
}

async function show(event) {
  const before = view?.here;
  let here = null;
  // A view may have replaced its address: the navigation leads back to that.
  if (event?.oldURL && shown) last[shown] = new URL(event.oldURL).hash;
  try {
    here = place();
    if (!(here.name in VIEWS) || (NEEDS_POSITION.has(here.name) && !here.what)) {
      location.replace(VIEWS[here.name]?.[2] ?? FIRST);
      return;
    }
    last[here.name] = location.hash;
    const [title, Made] = VIEWS[here.name];
    document.title = `${title} · Rulewright`;
    drawNavigation(here.name);
    const moved = shown !== here.name;
    if (shown !== here.name) {
      view?.leave?.();
      view = new Made(main);
      shown = here.name;
    }
    await view.show(here);
    // Who came by a link stands where the view begins, not at the top of the page again.
    if (moved && document.activeElement === document.body && entered) main.focus({ preventScroll: true });
    entered = true;
  } catch (problem) {
    // A change by hand that the server refuses leaves the position as it was.
    if (event?.oldURL && before && before === view.here && here?.name === shown && here.what === before.what) {
      history.replaceState(null, "", event.oldURL);
      last[shown] = location.hash;
      notice(problem.message);
      return;
    }
    shown = "";
    // The navigation does not lead back to an address that cannot be shown.
    for (const [name, [, , home]] of Object.entries(VIEWS)) if (last[name] === location.hash) last[name] = home;
    drawNavigation("");
    main.replaceChildren(
      h("section", { class: "empty" }, h("h1", {}, "This page cannot be shown"), h("p", {}, problem.message),
        problem.status === 0 ? h("p", {}, h("button", { type: "button", onclick: () => show() }, "Try again")) : "",
        h("p", {}, h("a", { href: "#/situations" }, "Choose a situation"))),
    );
  }
}

function drawNavigation(current) {
  redraw(document.getElementById("views"),
    ...Object.entries(VIEWS).map(([name, [title]]) =>
      h("a", { href: last[name], "aria-current": name === current ? "page" : null }, title)),
  );
}

function night() {
  const button = document.getElementById("night");
  const dark = () => document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  // The pages of books have the same origin, and keep the choice under the same name.
  const kept = localStorage.getItem("theme");
  if (kept) document.documentElement.dataset.theme = kept === "night" ? "dark" : "light";
  button.setAttribute("aria-pressed", String(dark()));
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = dark() ? "light" : "dark";
    localStorage.setItem("theme", dark() ? "night" : "day");
    button.setAttribute("aria-pressed", String(dark()));
  });
}

night();
addEventListener("hashchange", show);
addEventListener("unhandledrejection", (event) => notice(event.reason?.message ?? "An error occurred."));
show();

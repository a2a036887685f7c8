// Elements made of names, attributes and text: no markup is ever made out of text here.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element; children are elements or texts, attributes that are null or false are left out. */
export function h(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

/** Make an element of SVG. */
export function s(name, attributes = {}) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** Draw a part of the page anew; what had the focus there has it again, by its id, its words or its looks. */
export function redraw(place, ...children) {
  const had = document.activeElement;
  const inside = had && place.contains(had) && had !== place;
  const called = (each) => each.id || each.getAttribute("aria-label") || each.textContent;
  const [tag, name, at] = inside ? [had.tagName, called(had), [...place.querySelectorAll(had.tagName)].indexOf(had)] : [];
  place.replaceChildren(...children);
  if (!inside) return;
  const same = [...place.querySelectorAll(tag)].filter((each) => !each.disabled);
  const alike = had.className && same.find((each) => each.className === had.className);
  const found = same.find((each) => called(each) === name) ?? (alike || same[Math.min(at, same.length - 1)]);
  (found ?? place.closest("[tabindex]"))?.focus({ preventScroll: true });
}

/** Begin a sentence with a capital. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Show a sentence below the page for a while; it is read aloud too. */
export function notice(text) {
  const place = document.getElementById("notice");
  place.replaceChildren(text);
  clearTimeout(notice.timer);
  notice.timer = setTimeout(() => place.replaceChildren(), 9000);
}

/** Say that nothing can be saved, and why. */
export const unusableFolder = (reason) =>
  reason ? h("p", { class: "why", role: "alert" }, `The folder for games, positions, experiments and books cannot be used, so they are neither listed nor saved: ${reason}.`) : "";

/** Say which packages, or files of situations, are left out, and why: all others are as they were. */
export function faults(left, sort = "package") {
  return left.length ? h("section", { class: "why", "aria-label": `${capital(sort)}s that cannot be read` }, h("h2", {}, left.length > 1 ? `These ${sort}s cannot be read and are left out` : `This ${sort} cannot be read and is left out`),
    left.map((each) => h("p", {}, h("code", {}, each.folder), " ", each.why))) : "";
}

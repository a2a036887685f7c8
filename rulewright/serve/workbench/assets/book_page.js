// On a page of a book that the workbench serves: the way back, and "Open on the Table" at examples and disputes.

const meta = document.querySelector('meta[name="rulewright-stack"]');
const { root, against } = meta.dataset;
const stack = meta.getAttribute("content");

function made(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const table = (address) => `${root}#/table/${encodeURIComponent(address)}`;

document.querySelector("header.top")?.prepend(made("a", { class: "workbench-back", href: `${root}#/book` }, "Workbench"));
for (const example of document.querySelectorAll("details.example[id]")) {
  example.querySelector("summary")?.after(made("a", { class: "on-table", href: table(`example.${stack}@${example.id}`) }, "Open on the Table"));
}

/** Ask the server; the page of a book lies two folders or more below it. */
async function asked(name, body) {
  const options = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  const response = await fetch(`${root}api/${name}`, options);
  const data = await response.json();
  if (!response.ok) throw new Error(data.error);
  return data;
}

/** Begin a search beside the page, wait for its end, and go to the position that `find` takes out of what it found. */
async function openFound(name, body, place, what, find) {
  place.textContent = ` Searching for ${what} …`;
  try {
    const { job } = await asked(name, body);
    let state = await asked(`job?job=${encodeURIComponent(job)}`);
    while (state.running) {
      await new Promise((later) => setTimeout(later, 700));
      state = await asked(`job?job=${encodeURIComponent(job)}`);
    }
    if (!state.data) throw new Error(state.error || "the search was stopped");
    const file = /witnesses\/[^"]*\.yaml$/.exec(find(state.data) ?? "");
    if (!file) throw new Error(`the search ended without ${what}`);
    location.href = table(`position.${file[0]}`);
  } catch (problem) {
    place.textContent = ` ${problem.message}`;
  }
}

/** Add a button to a place of the page that leads to a position, once it is found. */
function button(element, label, open) {
  const told = made("span", { role: "status" });
  const pressed = made("button", { type: "button", class: "on-table" }, label);
  pressed.addEventListener("click", () => open(told));
  element.append(made("p", {}, pressed, told));
}

for (const article of document.querySelectorAll("article.dispute")) {
  const label = article.querySelector(".meta a.label")?.textContent.trim();
  if (!label) continue;
  const first = (data) => /"witness":\s*"([^"]*witnesses\/[^"]*\.yaml)"/.exec(JSON.stringify(data.disputes.find((each) => each.dispute === label) ?? {}))?.[1];
  button(article, "Open a position where the readings differ", (told) => openFound("book_disputes", { stack }, told, "a position in which the readings differ", first));
}

// Where answers differ from those of the book that this one is compared with: a heading for each question, then its positions.
let term = "";
let at = 0;
for (const element of against ? document.querySelectorAll("section[aria-label='Where answers differ'] > *") : []) {
  if (element.tagName === "H3") {
    term = /terms\/(\w+)\.html/.exec(element.querySelector("a")?.getAttribute("href") ?? "")?.[1] ?? "";
    at = 0;
  } else if (element.tagName === "FIGURE" && term) {
    const [asks, which] = [term, at];
    at += 1;
    button(element, "Open on the Table", (told) => openFound("book_differences", { stack, against }, told, "the position",
      (data) => data.terms.find((each) => each.term === asks)?.groups[which]?.witness));
  }
}

// The drawings of a book tint their shapes by attributes, which the policy of this server does not let pages style with;
// the same declarations are allowed where a script of the server sets them.
for (const element of document.querySelectorAll("[style]")) {
  for (const declaration of element.getAttribute("style").split(";")) {
    const [name, ...value] = declaration.split(":");
    if (value.length) element.style.setProperty(name.trim(), value.join(":").trim());
  }
}

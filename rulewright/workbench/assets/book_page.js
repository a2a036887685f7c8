// On a page of a book that the workbench serves: the way back, and "open on the table" at examples and disputes.

const meta = document.querySelector('meta[name="rulewright-stack"]');
const { root } = meta.dataset;
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
  example.querySelector("summary")?.after(made("a", { class: "on-table", href: table(`example.${stack}@${example.id}`) }, "Open on the table"));
}

/** Ask the server; the page of a book lies two folders or more below it. */
async function asked(name, body) {
  const options = body ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) } : {};
  const response = await fetch(`${root}api/${name}`, options);
  const data = await response.json();
  if (!response.ok) throw new Error(data.error);
  return data;
}

/** Find a position where the readings of a dispute part, and go there; the search runs beside the page. */
async function openDispute(label, place) {
  place.textContent = " Looking for a position in which the readings part …";
  try {
    const { job } = await asked("book_disputes", { stack });
    let state = await asked(`job?job=${encodeURIComponent(job)}`);
    while (state.running) {
      await new Promise((later) => setTimeout(later, 700));
      state = await asked(`job?job=${encodeURIComponent(job)}`);
    }
    if (!state.data) throw new Error(state.error || "the search was stopped");
    const found = state.data.disputes.find((each) => each.dispute === label);
    const files = [...JSON.stringify(found ?? {}).matchAll(/"witness":\s*"([^"]*\/(witnesses\/[^"]*\.yaml))"/g)].map((each) => each[2]);
    if (!files.length) throw new Error("no position was found in which its readings part");
    location.href = table(`position.${files[0]}`);
  } catch (problem) {
    place.textContent = ` ${problem.message}`;
  }
}

for (const article of document.querySelectorAll("article.dispute")) {
  const label = article.querySelector(".meta a.label")?.textContent.trim();
  if (!label) continue;
  const told = made("span", { role: "status" });
  const button = made("button", { type: "button", class: "on-table" }, "Open on the table where they part");
  button.addEventListener("click", () => openDispute(label, told));
  article.append(made("p", {}, button, told));
}

// The drawings of a book tint their shapes by attributes, which the policy of this server does not let pages style with;
// the same declarations are allowed where a script of the server sets them.
for (const element of document.querySelectorAll("[style]")) {
  for (const declaration of element.getAttribute("style").split(";")) {
    const [name, ...value] = declaration.split(":");
    if (value.length) element.style.setProperty(name.trim(), value.join(":").trim());
  }
}

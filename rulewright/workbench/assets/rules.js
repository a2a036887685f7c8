// Rules: the files of a layer with findings while one types, what words mean, and the examples as maps that pass or fail.

import { faults, h, notice } from "./dom.js";
import { address, read, write } from "./api.js";
import { colored } from "./code.js";

const SOON = 20; // Milliseconds until a text is looked at: keys that come together are one change.
const PAUSE = 250; // Milliseconds without a key until the examples are run.
const IDLE = 1500; // And until the text is proved.
const YIELDS = 3; // How often the examples give way to something else that is asked.

// Layers that come along, by what they are.
const KINDS = [["base", "Games"], ["variant", "Variants"], ["optional", "Options"], ["experimental", "Experimental rules"], ["rulings", "Rulings"], ["scenario", "Situations"], ["joint", "Combinations of options"]];

export class RulesView {
  constructor(main) {
    this.main = main;
  }

  leave() {
    clearTimeout(this.timer);
    this.gone = true;
    if (this.job) write("stop", { job: this.job }).catch(() => {});
  }

  get dirty() {
    return this.file && this.area.value !== this.file.text;
  }

  async show(here) {
    const layer = here.what;
    if (!layer) return this.layers();
    if (this.files?.layer !== layer || !this.area) {
      this.files = await read("rules_files", { layer });
      this.draw();
    }
    this.open(this.files.files.find((each) => each.name === here.chosen) ?? this.files.files[0]);
    return undefined;
  }

  async layers() {
    const { layers, home, left_out: left } = await read("changeable");
    this.files = null;
    const link = (each) => h("li", {}, h("a", { href: `#/rules/${encodeURIComponent(each.name)}` }, each.title), h("small", {}, ` ${each.name}`));
    const own = layers.filter((each) => each.own);
    const groups = KINDS.map(([kind, title]) => [title, layers.filter((each) => !each.own && each.kind === kind)]).filter(([, several]) => several.length);
    this.main.replaceChildren(h("section", { class: "list" }, h("h1", {}, "Rules"), faults(left),
      h("h2", {}, "Your layers"), own.length ? h("ul", { class: "boxes" }, own.map(link)) : h("p", { class: "hint" }, `There are no layers in ${home} yet. `, h("a", { href: "#/change/two_clans" }, "Change a game"), " to create one."),
      groups.map(([title, several]) => [h("h2", {}, title), h("ul", { class: "boxes" }, several.map(link))])));
  }

  draw() {
    const { layer, title, own, folder, files } = this.files;
    this.area = h("textarea", { class: "code typed", spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": "Text of the file", "aria-describedby": "typing",
      readonly: !own, oninput: () => this.typed(), onkeydown: (event) => this.key(event), onclick: () => this.caret(), onkeyup: (event) => event.key.startsWith("Arrow") && this.caret(),
      onmousemove: (event) => this.hover(event), onmouseleave: () => clearTimeout(this.hovering), onblur: () => setTimeout(() => this.closeOffers(), 150) });
    this.back = h("pre", { class: "code back", "aria-hidden": "true" });
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.offers = h("ul", { class: "offers", role: "listbox", "aria-label": "Completions" });
    this.findings = h("section", { "aria-live": "polite", "aria-label": "Findings" });
    this.word = h("section", { "aria-label": "Meaning of the word", "aria-live": "polite" });
    this.examples = h("section", { "aria-label": "Examples" });
    this.tabs = h("nav", { class: "tabs", "aria-label": "Files" });
    this.main.replaceChildren(h("div", { class: "halves" },
      h("div", { class: "half" }, h("h1", {}, title), h("p", { class: "hint", id: "typing" }, own ? `${folder}. Ctrl+Space completes a word, F1 explains it, Ctrl+S saves.` : "These rules come with Rulewright and are read-only."),
        h("div", { class: "row" }, own ? [h("button", { type: "button", id: "keep", class: "primary", onclick: () => this.save() }, "Save"),
          h("button", { type: "button", onclick: () => this.layOut() }, "Format")] : h("a", { class: "button", href: `#/change/${encodeURIComponent(layer)}` }, "Create a layer that changes these rules")),
        this.tabs, h("div", { class: "typing" }, this.gutter, h("div", { class: "editor" }, this.back, this.area, this.offers))),
      h("div", { class: "half" }, this.findings, this.word, this.examples)));
    this.drawTabs(files);
  }

  drawTabs(files) {
    this.tabs.replaceChildren(...files.map((each) => h("a", { href: `#/rules/${encodeURIComponent(this.files.layer)}?s=${encodeURIComponent(each.name)}`,
      "aria-current": each === this.file ? "page" : null }, each.name)));
  }

  open(file) {
    if (!file || file === this.file) return;
    this.file = file;
    const kept = JSON.parse(sessionStorage.getItem(this.draftName) ?? "null");
    this.area.value = kept?.was === file.text ? kept.text : file.text;
    this.drawTabs(this.files.files);
    this.word.replaceChildren();
    this.typed();
  }

  get draftName() {
    return `rulewright-draft ${this.files.layer}/${this.file.name}`;
  }

  get asked() {
    return { layer: this.files.layer, file: this.file.name, text: this.area.value };
  }

  /** Show what was typed in colors at once, and have it looked at; examples and proofs wait until nobody types. */
  typed() {
    this.paint();
    this.closeOffers();
    // What is not saved outlives a reload and another view.
    if (this.dirty) sessionStorage.setItem(this.draftName, JSON.stringify({ was: this.file.text, text: this.area.value }));
    else sessionStorage.removeItem(this.draftName);
    clearTimeout(this.timer);
    if (this.job) write("stop", { job: this.job }).catch(() => {});
    this.job = "";
    this.look().catch((problem) => this.findings.replaceChildren(h("p", { class: "why" }, problem.message)));
    document.getElementById("keep")?.toggleAttribute("disabled", !this.dirty);
  }

  paint(lines = new Map()) {
    const text = this.area.value;
    this.back.replaceChildren(...colored(text), "\n");
    const count = text.split("\n").length;
    this.area.rows = count + 1;
    this.gutter.replaceChildren(...Array.from({ length: count }, (_, at) => h("span", { class: lines.get(at) ?? null }, String(at + 1))));
  }

  isAsTyped(asked) {
    return !this.gone && asked.text === this.area.value && asked.file === this.file.name && asked.layer === this.files.layer;
  }

  /** Have the text looked at as it stands, one text at a time: what was typed meanwhile comes next. */
  async look() {
    if (this.looking) return;
    this.looking = true;
    try {
      for (;;) {
        await new Promise((later) => setTimeout(later, SOON));
        if (this.gone) return;
        const asked = this.asked;
        const seen = await write("rules_look", asked);
        if (!this.isAsTyped(asked)) continue;
        this.drawFindings(seen.findings, seen.elsewhere, "");
        performance.mark("findings");
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.examine(asked, seen.findings), PAUSE);
        return;
      }
    } finally {
      this.looking = false;
    }
  }

  async examine(asked, found) {
    try {
      let ran = { unfinished: true };
      for (let tries = 0; ran.unfinished; tries += 1) {
        ran = await write("rules_examples", { ...asked, yields: tries < YIELDS });
        if (!this.isAsTyped(asked)) return;
      }
      this.drawExamples(ran);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.prove(asked, found), IDLE);
    } catch (problem) {
      this.findings.replaceChildren(h("p", { class: "why" }, problem.message));
    }
  }

  /** Prove in a process beside the page, which ends when the text changes. */
  async prove(asked, known) {
    if (!this.isAsTyped(asked) || known.some((each) => each.error)) return;
    try {
      const { job, path } = await write("rules_prove", asked);
      if (!this.isAsTyped(asked)) {
        write("stop", { job }).catch(() => {});
        return;
      }
      this.job = job;
      this.drawFindings(known, 0, "Running the proofs …");
      for (;;) {
        await new Promise((later) => setTimeout(later, 500));
        if (this.gone || this.job !== job) return;
        const state = await read("job", { job });
        if (state.running && !state.data) continue;
        if (!state.running) this.job = "";
        if (state.stopped) return;
        if (state.error) throw new Error(state.error);
        const found = (state.data?.found[path] ?? []).map((each) => ({ line: each.range.start.line, end: each.range.end.line, error: each.severity === 1, code: each.code, message: each.message, range: each.range, ...each.data }));
        const elsewhere = Object.entries(state.data?.found ?? {}).reduce((sum, [name, each]) => sum + (name === path ? 0 : each.length), 0);
        const said = state.running ? "The proofs are done; situations and examples are being played …" : "Done: the findings of the compiler, the proofs and the examples are listed.";
        this.drawFindings(found, elsewhere, said);
        if (!state.running) return;
      }
    } catch (problem) {
      this.drawFindings(known, 0, `The proofs stopped with an error: ${problem.message}`);
    }
  }

  drawFindings(found, elsewhere, state) {
    this.found = found;
    this.paint(new Map(found.map((each) => [each.line, each.error ? "error" : "warning"])));
    this.findings.replaceChildren(h("h2", {}, found.length ? `Findings: ${found.length}` : "No findings in this file"),
      h("ul", { class: "findings" }, found.map((each) => h("li", {}, h("button", { type: "button", class: each.error ? "error" : "warning", onclick: () => this.goTo(each.line) }, `Line ${each.line + 1}`), ` ${each.code} `,
        h("pre", {}, each.message), this.fixes(each), this.witness(each)))),
      elsewhere ? h("p", { class: "hint" }, `${elsewhere} more in other files of the stack.`) : "", state ? h("p", { class: "hint", role: "status" }, state) : "");
  }

  /** Words that may stand in place of what a finding is about: one click puts one there. */
  fixes(finding) {
    if (!this.files.own || !finding.instead?.length) return "";
    return h("p", { class: "row" }, finding.instead.map((word) => h("button", { type: "button", class: "fix", onclick: () => this.fix(finding, word) }, `Replace by ${word}`)));
  }

  fix({ range }, word) {
    const lines = this.area.value.split("\n");
    const at = ({ line, character }) => lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + character;
    this.area.focus();
    this.area.setRangeText(word, at(range.start), at(range.end), "end");
    this.typed();
  }

  /** The position that proves a finding: in words, and as one can look at it. */
  witness({ witness, code, line }) {
    if (!witness?.file) return "";
    const open = async () => {
      try {
        const { address: kept } = await write("position_save", { name: `finding_${code}_${line + 1}`, text: witness.file });
        location.hash = `#/table/${encodeURIComponent(kept)}`;
      } catch (problem) {
        notice(problem.message);
      }
    };
    return h("p", { class: "witness" }, h("button", { type: "button", onclick: open }, "Open on the Table"));
  }

  drawExamples({ examples, why }) {
    const passed = examples.filter((each) => each.passed).length;
    this.examples.replaceChildren(h("h2", {}, examples.length ? `Examples: ${passed} of ${examples.length} pass` : "Examples"),
      why ? h("p", { class: "hint" }, why) : "", ...examples.map((each) => this.example(each)));
  }

  example(each) {
    return h("article", { class: each.passed ? "example passed" : "example failed" },
      h("h3", {}, h("button", { type: "button", onclick: () => this.goTo(each.line) }, each.title), ` ${each.passed ? "passes" : "fails"}`, each.cases > 1 ? ` (${each.cases} cases)` : ""),
      each.failures.map((one) => h("div", { class: "why" }, h("p", {}, `Line ${one.line + 1}${one.case ? `, ${one.case}` : ""}: ${one.expected} is expected, but the result is ${one.actual}.`),
        this.files.own ? h("button", { type: "button", onclick: () => this.right(one.line) }, "Expect this result instead") : "")),
      h("details", { open: !each.passed }, h("summary", {}, "Position"), each.drawing ? h("img", { src: address("rules_drawing", { key: each.drawing }), alt: each.told, loading: "lazy" }) : "", h("p", { class: "hint" }, each.told)));
  }

  async right(line) {
    try {
      const { text } = await write("rules_right", { ...this.asked, line });
      this.area.value = text;
      this.typed();
    } catch (problem) {
      notice(problem.message);
    }
  }

  goTo(line) {
    const lines = this.area.value.split("\n");
    const at = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(at, at + lines[line].length);
    this.gutter.children[line]?.scrollIntoView({ block: "center" });
  }

  place(at = this.area.selectionStart) {
    const before = this.area.value.slice(0, at).split("\n");
    return { line: before.length - 1, column: before.at(-1).length };
  }

  caret() {
    clearTimeout(this.explaining);
    this.explaining = setTimeout(() => this.explain(this.place()), 300);
  }

  hover(event) {
    clearTimeout(this.hovering);
    const { line, column } = this.under(event.offsetX, event.offsetY);
    this.hovering = setTimeout(() => this.explain({ line, column }), 500);
  }

  /** The line and column under a point: all signs are as wide as each other. */
  under(x, y) {
    const { wide, high } = this.sign();
    const style = getComputedStyle(this.area);
    return { line: Math.max(0, Math.floor((y - parseFloat(style.paddingTop)) / high)), column: Math.max(0, Math.round((x - parseFloat(style.paddingLeft)) / wide)) };
  }

  sign() {
    const probe = h("span", { class: "code probe" }, "0".repeat(50));
    this.back.append(probe);
    const box = probe.getBoundingClientRect();
    probe.remove();
    return { wide: box.width / 50, high: parseFloat(getComputedStyle(this.area).lineHeight) };
  }

  /** Explain the word at a place, and the findings of its line with their fixes and positions. */
  async explain(place) {
    const here = (this.found ?? []).filter((each) => each.line <= place.line && place.line <= each.end);
    const told = here.length ? h("div", { class: "here" }, h("h2", {}, `Line ${place.line + 1}`), here.map((each) => h("div", { class: "why" }, h("pre", {}, each.message), this.fixes(each), this.witness(each)))) : "";
    if (told) this.word.replaceChildren(told);
    const found = await write("rules_word", { ...this.asked, ...place }).catch(() => null);
    if (!found?.meaning && !found?.printed) return;
    this.word.replaceChildren(told, h("h2", {}, found.word), found.printed ? h("blockquote", {}, found.printed) : "",
      h("details", { open: true }, h("summary", {}, "Definition"), h("pre", { class: "code", tabindex: "0" }, found.meaning)));
  }

  key(event) {
    const shown = this.offers.children.length > 0;
    if (event.key === "s" && (event.ctrlKey || event.metaKey)) this.save();
    else if (event.key === " " && event.ctrlKey) this.complete();
    else if (event.key === "F1") this.explain(this.place());
    else if (shown && event.key === "Escape") this.closeOffers();
    else if (shown && (event.key === "ArrowDown" || event.key === "ArrowUp")) this.move(event.key === "ArrowDown" ? 1 : -1);
    else if (shown && (event.key === "Enter" || event.key === "Tab")) this.take(this.offers.querySelector("[aria-selected=true]") ?? this.offers.firstElementChild);
    else return;
    event.preventDefault();
  }

  begun() {
    return this.area.value.slice(0, this.area.selectionStart).match(/[A-Za-z_][\w-]*$/)?.[0] ?? "";
  }

  async complete() {
    if (!this.files.own) return;
    const begun = this.begun();
    const { offers } = await read("rules_offers", { layer: this.files.layer, file: this.file.name, begun });
    const { wide, high } = this.sign();
    const { line, column } = this.place();
    this.offers.replaceChildren(...offers.map((each, at) => h("li", { role: "option", "aria-selected": String(at === 0), "data-word": each.word, onmousedown: (event) => { event.preventDefault(); this.take(event.currentTarget); } },
      each.word, h("small", {}, ` ${each.what} ${each.reads}`))));
    this.offers.dataset.shown = String(offers.length > 0);
    this.offers.style.setProperty("--at-x", `${(column - begun.length) * wide}px`);
    this.offers.style.setProperty("--at-y", `${(line + 1) * high}px`);
    if (!offers.length) notice(`No word contains “${begun}”.`);
  }

  move(by) {
    const all = [...this.offers.children];
    const now = all.findIndex((each) => each.getAttribute("aria-selected") === "true");
    const next = (now + by + all.length) % all.length;
    all.forEach((each, at) => each.setAttribute("aria-selected", String(at === next)));
    all[next].scrollIntoView({ block: "nearest" });
  }

  take(offer) {
    const at = this.area.selectionStart;
    this.area.setRangeText(offer.dataset.word, at - this.begun().length, at, "end");
    this.closeOffers();
    this.typed();
  }

  closeOffers() {
    this.offers.replaceChildren();
  }

  async layOut() {
    try {
      this.area.value = (await write("rules_laid_out", this.asked)).text;
      this.typed();
    } catch (problem) {
      notice(problem.message);
    }
  }

  async save() {
    if (!this.files.own || !this.dirty) return;
    try {
      const asked = this.asked;
      await write("rules_save", { ...asked, was: this.file.text });
      this.file.text = asked.text;
      sessionStorage.removeItem(this.draftName);
      notice("Saved.");
      document.getElementById("keep")?.toggleAttribute("disabled", !this.dirty);
    } catch (problem) {
      notice(problem.message);
    }
  }
}

// Finds rows of the index by what a reader would type: word stems, other words for the same, numbers, labels, source items.
"use strict";
const SEARCH = (() => {
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const PLAIN = new Set("a allowed am all also an and any are as at be by can could did do does for from get had has have how i if in into is it its made make may must my no not of on one only or possible same should still that the their them there they this to was what were when where whether which while who will with would you your".split(" "));

  // One stem for the forms of a word: spots, spotted, spotter and spotting; disperse, dispersal and dispersed.
  const FORMS = Object.fromEntries(("see:seen,saw lay:laid leave:left blow:blown,blew shoot:shot drive:driven,drove go:gone,went take:taken,took " +
    "give:given,gave hold:held lose:lost,loss build:built fight:fought hide:hidden,hid ride:ridden,rode stand:stood fall:fallen,fell " +
    "fly:flown,flew,flight break:broken,broke strike:struck sink:sunk,sank swim:swam keep:kept pay:paid lead:led run:ran,running " +
    "resolve:resolution man:men begin:begun,began come:came become:became choose:chosen,chose write:written bear:borne spend:spent " +
    "throw:thrown draw:drawn know:known meet:met enter:entry,entrance apply:applied,applies").split(" ").flatMap((line) => {
    const [word, forms] = line.split(":");
    return forms.split(",").map((form) => [form, word]);
  }));
  const known = new Map();
  const cut = (form) => {
    const word = FORMS[form] ?? form;
    if (word.length < 4 || /\d/.test(word)) return word;
    let stem = word.replace(/'s$/, "").replace(/ies$/, "y").replace(/(ss|x|ch|sh)es$/, "$1").replace(/([^su])s$/, "$1");
    for (let whole = ""; whole !== stem;) {  // Engineering, engineer and engine.
      whole = stem;
      const bare = stem.replace(/(ations?|ment|ings?|ers?|ed|al|ion|ly)$/, "");
      if (bare !== stem && bare.length > 3 && /[aeiouy]/.test(bare)) stem = bare.replace(/([bdfgmnprt])\1$/, "$1");
    }
    return stem.length > 4 ? stem.replace(/[ey]$/, "") : stem.length > 3 ? stem.replace(/e$/, "") : stem;
  };
  const stemmed = (word) => {
    if (!known.has(word)) known.set(word, cut(word));
    return known.get(word);
  };
  // Numbers of cases and items of sources stay whole, 4.23a and q.road.04; types do as well, with a hyphen or without: T-34.
  const tokens = (text) => fold(text).replace(/['’]/g, "").replace(/\b([a-z]{1,4})-(?=\d)/g, "$1").match(/[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+|[a-z0-9]+/g) ?? [];
  const stems = (text) => tokens(text).map(stemmed);

  // What is said in a title counts more than what is said in the text, and that more than what stands around it.
  const FIELDS = [[1, 1.4], [4, 2.2], [5, 0.8], [6, 0.3]];
  const SORTS = { Case: 0.9, Ruling: 1.1, Rule: 1.1, Chart: 1.1, Action: 0.9, Resolution: 1.05, Sequence: 0.9, Dispute: 1.2,
    Example: 0.35, Question: 0.5, Word: 0.8, Definition: 0.6, Counter: 0.8, Source: 0.5 };

  // What stands together speaks of one matter: a rule gains by what its rulings and examples score, and as if it
  // said half of what only they say; and they gain by it. More drowns the one row that says it best.
  const TOGETHER = { score: 0.15, said: 0.5 };
  // How soon it no longer counts that a word comes again.
  const ENOUGH = 1.5;

  // How many letters apart two words of a question may stand to be said together, nearly.
  const NEIGHBORS = 40;
  // What counts of the third and later rows of what stands together: a reader wants to see other places, too.
  const MORE = 0.75;

  let rows = null;
  const postings = new Map();
  const read = () => {
    const sizes = FIELDS.map(() => 0);
    rows = BOOK.map((row, place) => {
      const fields = FIELDS.map(([at]) => stems(row[at]));
      fields.forEach((field, at) => { sizes[at] += field.length; });
      const [sort, title, number, address, text, , , beside] = row;
      const anchor = fold(address.slice(address.indexOf("#") + 1));
      return { sort, title, number, address, text, beside, place, fields, anchor, said: ` ${fields[0].join(" ")} | ${fields[1].join(" ")} ` };
    });
    const usual = sizes.map((size) => Math.max(1, size / rows.length));
    for (const row of rows) {
      const weights = new Map();
      row.fields.forEach((field, at) => {
        const share = FIELDS[at][1] / (0.4 + 0.6 * field.length / usual[at]);
        for (const stem of field) weights.set(stem, (weights.get(stem) ?? 0) + share);
      });
      for (const [stem, weight] of weights) {
        if (!postings.has(stem)) postings.set(stem, new Map());
        postings.get(stem).set(row, weight);
      }
      row.fields = null;
    }
  };

  // Whether two words are a slip of the finger apart.
  const near = (one, two) => {
    if (Math.abs(one.length - two.length) > 1) return false;
    let from = 0;
    while (from < one.length && one[from] === two[from]) from += 1;
    let back = 0;
    while (back < Math.min(one.length, two.length) - from && one[one.length - 1 - back] === two[two.length - 1 - back]) back += 1;
    const left = [one.length - from - back, two.length - from - back];
    return Math.max(...left) <= 1 || (left[0] === 2 && left[1] === 2 && one[from] === two[from + 1] && one[from + 1] === two[from]);
  };

  // What else a word may stand for: a longer one that begins so while it is being typed, a misspelled one, another word.
  const senses = (word, last) => {
    const stem = stemmed(word);
    const found = new Map([[stem, 1]]);
    if (last && word.length > 1) for (const other of postings.keys()) if (other.startsWith(word) && !found.has(other)) found.set(other, 0.6);
    if (word.length > 4 && ![...found.keys()].some((one) => postings.has(one)))
      for (const other of postings.keys()) if (near(stem, other)) found.set(other, 0.5);
    return found;
  };

  const terms = (query) => {
    const words = tokens(query);
    const useful = words.filter((word) => !PLAIN.has(word));
    const kept = useful.length ? useful : words;
    const wanted = kept.map((word, at) => senses(word, at === kept.length - 1));
    const spoken = kept.map(stemmed);
    for (const [said, meant] of SEE) {
      const phrase = stems(said).filter((word) => !PLAIN.has(word));
      for (let at = 0; phrase.length && at + phrase.length <= spoken.length; at += 1)
        if (phrase.every((word, step) => spoken[at + step] === word))
          phrase.forEach((_, step) => stems(meant).forEach((word) => { if (!PLAIN.has(word)) wanted[at + step].set(word, Math.max(0.8, wanted[at + step].get(word) ?? 0)); }));
    }
    return [wanted, spoken];
  };

  const rarity = (stem) => Math.log(1 + rows.length / (1 + (postings.get(stem)?.size ?? 0)));

  // What is named outright comes first: a case number, a label, an item of a source or the end of one.
  const named = (query) => {
    const name = fold(query).trim().replace(/\s+/g, "-");
    const item = fold(query).trim().replace(/[\s.]+/g, ".");
    const rank = (row) => {
      if (row.number && row.number === query.trim()) return 4;
      if (row.sort === "Source" && (row.anchor === item || (/\.\d+$/.test(item) && row.anchor.endsWith(`.${item}`)))) return 3;
      return row.anchor === name && name.includes("-") ? 2 : 0;
    };
    return new Map(rows.map((row) => [row, rank(row)]).filter(([, how]) => how));
  };

  const find = (query) => {
    if (!rows) read();
    const [wanted, spoken] = terms(query);
    const sums = new Map();
    const around = new Map();
    const whole = wanted.reduce((sum, senses_) => sum + Math.max(...[...senses_.keys()].map(rarity)), 0);
    for (const senses_ of wanted) {
      const best = new Map();
      for (const [stem, share] of senses_) {
        const worth = rarity(stem);
        for (const [row, weight] of postings.get(stem) ?? []) {
          const sum = share * worth * weight / (weight + ENOUGH);
          if (sum > (best.get(row)?.[0] ?? 0)) best.set(row, [sum, share * worth]);
        }
      }
      for (const [row, [sum, worth]] of best) {
        const [all, covered] = sums.get(row) ?? [0, 0];
        sums.set(row, [all + sum, covered + worth]);
      }
      const most = new Map();
      for (const [row, [, worth]] of best) if (row.beside) most.set(row.beside, Math.max(worth, most.get(row.beside) ?? 0));
      for (const [head, worth] of most) around.set(head, (around.get(head) ?? 0) + worth);
    }
    const outright = named(query);
    for (const row of outright.keys()) if (!sums.has(row)) sums.set(row, [0, 0]);
    const ranked = [...sums].map(([row, [sum, covered]]) => {
      const beside = Math.max(0, (around.get(row.beside) ?? 0) - covered);
      let score = sum * Math.min(1, (covered + TOGETHER.said * beside) / whole) ** 1.8 * (SORTS[row.sort] ?? 1);
      for (let at = 1; at < spoken.length; at += 1) {
        const [one, other] = [spoken[at - 1], spoken[at]].map((word) => row.said.indexOf(` ${word} `));
        if (row.said.includes(` ${spoken[at - 1]} ${spoken[at]} `)) score *= 1.12;
        else if (one >= 0 && other >= 0 && Math.abs(one - other) < NEIGHBORS) score *= 1.1;
      }
      return [score + 100 * (outright.get(row) ?? 0), row];
    });
    const best = new Map();
    for (const [score, row] of ranked) if (row.beside) {
      const two = best.get(row.beside) ?? [];
      best.set(row.beside, [...two, score].sort((a, b) => b - a).slice(0, 2));
    }
    for (const one of ranked) if (one[1].beside) {
      const [first, second = 0] = best.get(one[1].beside);
      one[0] += TOGETHER.score * (one[0] === first ? second : first);
    }
    const order = (a, b) => b[0] - a[0] || a[1].place - b[1].place;
    ranked.sort(order);
    const shown = new Map();
    for (const one of ranked) {
      const key = one[1].beside || one[1].address;
      const times = shown.get(key) ?? 0;
      shown.set(key, times + 1);
      one[0] *= MORE ** Math.max(0, times - 1);
    }
    ranked.sort(order);
    const least = (ranked[0]?.[0] ?? 0) * 0.12;
    const seen = new Set();
    return ranked.filter(([score, row]) => score >= least && !seen.has(row.address) && seen.add(row.address)).map(([, row]) => row);
  };

  // The stretch of a text that holds most of what was asked for, in pieces: [words, whether they were asked for].
  const passage = (row, query, length = 26) => {
    const wanted = new Set(terms(query)[0].flatMap((senses_) => [...senses_.keys()]));
    const words = row.text.split(/\s+/).filter(Boolean);
    const hits = words.map((word) => stems(word).some((stem) => wanted.has(stem)));
    let start = 0, most = -1;
    for (let at = 0; at === 0 || at + length <= words.length + 3; at += 4) {
      const count = hits.slice(at, at + length).filter(Boolean).length;
      if (count > most) [start, most] = [at, count];
    }
    const shown = words.slice(start, start + length).map((word, at) => [word, hits[start + at]]);
    if (start > 0) shown.unshift(["…", false]);
    if (start + length < words.length) shown.push(["…", false]);
    return shown;
  };

  return { find, passage, stems };
})();

// Ranks the places of the book by a query: what compiler/rulebook/index/ranking.py does, over the same postings.
// BOOK, POSTINGS, FORMS, SYNONYMS, STOP_WORDS and RANKING are in search-index.js, which compiler/rulebook/index/script.py writes.
"use strict";
const SEARCH = (() => {
  const fold = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  const stops = new Set(STOP_WORDS);
  const tokens = (text) => fold(text).replace(/['’]/g, "").replace(/\b([a-z]{1,4})-(?=\d)/g, "$1").match(/[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)+|[a-z0-9]+/g) ?? [];
  const has = (table, key) => Object.hasOwn(table, key);
  const shared = (one, two) => {
    let at = 0;
    while (at < one.length && one[at] === two[at]) at += 1;
    return at;
  };

  // The stem of a word; of one that the book does not say, that of the word of the book with the longest common beginning.
  const known = new Map();
  const stem = (token) => {
    if (has(FORMS, token)) return FORMS[token];
    if (has(POSTINGS, token) || token.length < 5 || /\d/.test(token)) return token;
    if (!known.has(token)) {
      let best = token, most = Math.max(3, token.length - 5);
      for (const form of [...Object.keys(FORMS), ...Object.keys(POSTINGS)]) {
        const length = shared(form, token);
        if (length > most && length >= form.length - 4 && /^(e|s|es|ed|er|ers|ing|ings|ment|al|ion|ions|ation|ly)?$/.test(token.slice(length))) [best, most] = [FORMS[form] ?? form, length];
      }
      known.set(token, best);
    }
    return known.get(token);
  };
  const stems = (text) => tokens(text).filter((token) => !stops.has(token)).map(stem);

  const rows = BOOK.map(([sort, title, number, address, text, beside, section], place) =>
    ({ sort, title, number, address, text, place, section, beside: beside || address, anchor: fold(address.slice(address.indexOf("#") + 1)) }));
  const heads = new Map();
  for (const row of rows) if (!heads.has(row.address)) heads.set(row.address, row);
  const found = (each) => (has(POSTINGS, each) ? POSTINGS[each] : []);
  const rarity = (count) => (count ? Math.log(1 + (rows.length - count + 0.5) / (count + 0.5)) : 0);

  // The rows that say all of some stems, each with the least of their weights. Stems that are meant together are joined by a blank.
  const said = new Map();
  const rowsWith = (meant) => {
    if (!said.has(meant)) {
      const [first, ...rest] = meant.split(" ").map((each) => {
        const postings = found(each), weights = new Map();
        for (let at = 0; at < postings.length; at += 2) weights.set(postings[at], postings[at + 1]);
        return weights;
      });
      const all = [...first].filter(([at]) => rest.every((one) => one.has(at)));
      said.set(meant, new Map(all.map(([at, weight]) => [at, Math.min(weight, ...rest.map((one) => one.get(at)))])));
    }
    return said.get(meant);
  };

  // Whether two words are one letter apart: another one, one too many, or two exchanged.
  const slip = (one, two) => {
    if (Math.abs(one.length - two.length) > 1 || one === two) return false;
    const at = shared(one, two);
    const [a, b] = [one.slice(at), two.slice(at)];
    return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
  };

  // What a word may stand for: its own stem, longer ones while it is typed, those of words a slip away.
  const leading = new Set(SYNONYMS.flatMap(([said]) => said));
  const written = new Map([...Object.keys(POSTINGS), ...leading].map((each) => [each, each]).concat(Object.entries(FORMS)));
  const readings = (token, last) => {
    const own = stem(token);
    if (has(POSTINGS, own) || leading.has(own)) return new Map([[own, 1]]);
    const longer = last && token.length > 1 ? Object.keys(POSTINGS).filter((each) => each.startsWith(token)) : [];
    if (longer.length) return new Map(longer.map((each) => [each, RANKING.prefix]));
    const meant = token.length > RANKING.short ? [...written].filter(([form]) => slip(token, form)) : [];
    return new Map(meant.map(([, each]) => [each, RANKING.misspelled]));
  };
  // Words that are known only as two are taken apart: a reader joins what the book writes apart.
  const parted = (token) => {
    if (written.has(token) || written.has(stem(token))) return [token];
    for (let at = RANKING.part; at <= token.length - RANKING.part; at += 1)
      if (written.has(token.slice(0, at)) && written.has(token.slice(at))) return [token.slice(0, at), token.slice(at)];
    return [token];
  };
  const sensesOf = (query) => {
    // Two numbers set against each other are a ratio, whichever they are.
    const typed = tokens(query.replace(/\b\d+ ?(?:to|against|vs|:) ?\d+\b/g, "ratio"));
    const useful = typed.filter((token) => !stops.has(token));
    const kept = (useful.length ? useful : typed).flatMap(parted);
    const read = kept.map((token, at) => readings(token, at === kept.length - 1));
    const spoken = kept.map((token, at) => [...read[at].keys()][0] ?? stem(token));
    const senses = read.map((one) => new Map(one));
    for (const [said, meant] of SYNONYMS)
      for (let at = 0; at + said.length <= read.length; at += 1) {
        // A word with a slip in it stands for what the word that was meant stands for.
        const share = Math.min(...said.map((each, step) => read[at + step].get(each) ?? 0)) * RANKING.synonym;
        if (share) said.forEach((_, step) => senses[at + step].set(meant.join(" "), Math.max(share, senses[at + step].get(meant.join(" ")) ?? 0)));
      }
    for (let at = 1; at < kept.length; at += 1) {
      const whole = FORMS[kept[at - 1] + kept[at]] ?? kept[at - 1] + kept[at];
      if (written.has(kept[at - 1] + kept[at]) && has(POSTINGS, whole)) for (const step of [at - 1, at]) senses[step].set(whole, 1);
    }
    return [spoken, senses.map((one) => new Map([...one].filter(([each]) => rowsWith(each).size))), kept];
  };

  // The words of a query that nothing in the book says, and that stand for nothing in it.
  const unknown = (query) => {
    const [, senses, kept] = sensesOf(query);
    return kept.filter((token, at) => !stops.has(token) && !senses[at].size);
  };

  // A row that says words of the query side by side, or whose title the query says whole, in its words or in synonyms.
  const phrases = (row, spoken, senses) => {
    const title = stems(row.title);
    const says = (at, each) => spoken[at] === each || senses[at].has(each);
    const text = ` ${title.join(" ")} | ${stems(row.text).join(" ")} `;
    const exact = title.length === spoken.length && title.every((each, at) => says(at, each));
    const titled = title.length && title.every((each) => spoken.some((_, at) => says(at, each)));
    let factor = exact ? RANKING.exact : titled ? RANKING.titled : 1;
    for (let at = 1; at < spoken.length; at += 1) {
      const [one, two] = [spoken[at - 1], spoken[at]];
      const [first, second] = [text.indexOf(` ${one} `), text.indexOf(` ${two} `)];
      if (text.includes(` ${one} ${two} `)) factor *= RANKING.phrase;
      else if (first >= 0 && second >= 0 && Math.abs(first - second) < RANKING.window) factor *= RANKING.nearby;
    }
    return factor;
  };

  const scoresOf = (query) => {
    const [spoken, senses] = sensesOf(query);
    const [sums, covered, beside] = [new Map(), new Map(), new Map()];
    const grow = (map, key, by) => map.set(key, (map.get(key) ?? 0) + by);
    let whole = 0;
    for (const one of senses) {
      // A word and its synonyms are one: its weight is the rarity of them all.
      const all = new Set([...one.keys()].flatMap((each) => [...rowsWith(each).keys()]));
      const worth = rarity(all.size), best = new Map();
      whole += worth * Math.max(0, ...one.values());
      for (const [each, share] of one) {
        const own = rarity(rowsWith(each).size);
        for (const [at, weight] of rowsWith(each)) {
          const gain = share * own * weight / (weight + RANKING.unit * RANKING.saturation);
          const [more, most] = best.get(at) ?? [0, 0];
          best.set(at, [Math.max(gain, more), Math.max(share * worth, most)]);
        }
      }
      const there = new Map();
      for (const [at, [gain, most]] of best) {
        grow(sums, at, gain);
        grow(covered, at, most);
        there.set(rows[at].beside, Math.max(most, there.get(rows[at].beside) ?? 0));
      }
      for (const [place, most] of there) grow(beside, place, most);
    }
    const scores = new Map();
    for (const [at, gain] of sums) {
      const share = covered.get(at) + RANKING.lent * Math.max(0, beside.get(rows[at].beside) - covered.get(at));
      scores.set(at, gain * Math.min(1, share / whole) ** RANKING.coverage * (RANKING.sorts[rows[at].sort] ?? 1));
    }
    for (const at of ranked(scores).slice(0, RANKING.candidates)) scores.set(at, scores.get(at) * phrases(rows[at], spoken, senses));
    return scores;
  };
  const ranked = (scores) => [...scores.keys()].sort((a, b) => scores.get(b) - scores.get(a) || a - b);

  // What is named outright comes first: a number, a label, an item of a source or the end of one.
  const outright = (query) => {
    const name = fold(query).trim().replace(/\s+/g, "-");
    const item = fold(query).trim().replace(/[\s.]+/g, ".");
    const rank = (row) => {
      if (row.number && row.number === query.trim()) return 4;
      if (row.sort === "Source" && (row.anchor === item || (/\.\d+$/.test(item) && row.anchor.endsWith(`.${item}`)))) return 3;
      return row.anchor === name && name.includes("-") ? 2 : 0;
    };
    return rows.map((row) => [row.place, rank(row)]).filter(([, how]) => how);
  };

  // The places that a query leads to: { head, rows, score }, the best first.
  const find = (query) => {
    const scores = scoresOf(query);
    for (const [at, rank] of outright(query)) scores.set(at, (scores.get(at) ?? 0) + 100 * rank);
    const together = new Map();
    for (const at of ranked(scores)) together.set(rows[at].beside, [...(together.get(rows[at].beside) ?? []), at]);
    const places = [...together].map(([address, all]) => ({
      head: heads.get(address) ?? rows[all[0]],
      // An entry of the index is there for what it leads to.
      rows: [...new Set(all.map((at) => heads.get(rows[at].address) ?? rows[at]))],
      score: scores.get(all[0]) + RANKING.together * all.slice(1, 3).reduce((sum, at) => sum + scores.get(at), 0),
    }));
    places.sort((a, b) => b.score - a.score || a.head.place - b.head.place);
    return bySection(places.filter((place) => place.score >= places[0].score * RANKING.least));
  };

  // The places under one heading stand where the best of them is, so that the next result is about something else.
  const bySection = (places) => {
    const sections = new Map();
    for (const place of places) {
      const section = place.head.section || place.head.address;
      sections.set(section, [...(sections.get(section) ?? []), place]);
    }
    return [...sections.values()].map(([best, ...others]) => ({
      ...best,
      rows: [...new Set([...best.rows.slice(0, RANKING.own), ...others.map((other) => other.head), ...best.rows])],
    }));
  };

  // The stretch of a text that holds most of what was asked for, in pieces: [words, whether they were asked for].
  const passage = (row, query, length = 26) => {
    const wanted = new Set(sensesOf(query)[1].flatMap((one) => [...one.keys()].flatMap((each) => each.split(" "))));
    const words = row.text.split(/\s+/).filter(Boolean);
    const hits = words.map((word) => stems(word).some((each) => wanted.has(each)));
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

  return { find, passage, stems, unknown };
})();

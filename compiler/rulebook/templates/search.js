// Ranks the places of the book by a query: what compiler/rulebook/index/ranking.py does, over the same postings.
// PAGES, BOOK, POSTINGS, FORMS, SYNONYMS, STOP_WORDS and RANKING are in search-index.js, which
// compiler/rulebook/index/index_script.py writes; STEM is in stems.js.
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

  // The words that the book writes, each with its stem, and for every stem the shortest of its words.
  const written = new Map(), shown = new Map();
  for (const [own, forms] of Object.entries(FORMS)) for (const form of forms.split(" ")) {
    written.set(form, own);
    if (!shown.has(own) || form.length < shown.get(own).length) shown.set(own, form);
  }
  const stem = (token) => written.get(token) ?? (/\d/.test(token) ? token.replace(/(?<=\d)s$/, "") : STEM(token));
  const stems = (text) => tokens(text).filter((token) => !stops.has(token)).map(stem);

  // Entries of the index, and queries, are written as their sort, the row that they lead to, and their titles; in
  // other rows, the page of an address is a number, and so is what a row is beside, if that is another row.
  const listed = BOOK.flatMap((row) => (typeof row[1] === "number" ? row.slice(2).map((title) => [row[0], title, row[1]]) : [row]));
  const linked = (at) => (typeof at === "number" ? listed[at][3] : at).replace(/^\d+/, (page) => PAGES[page]);
  const rows = listed.map((row, place) => {
    const leads = typeof row[2] === "number";
    const [, , number, own, text = "", beside = "", section = ""] = leads ? ["", "", "", row[2], "", listed[row[2]][5]] : row;
    const address = linked(own);
    return { sort: row[0], title: row[1], number, address, text, place, section, leads, beside: linked(beside) || address, anchor: fold(address.slice(address.indexOf("#") + 1)) };
  });
  const heads = new Map();
  for (const row of rows) if (!heads.has(row.address)) heads.set(row.address, row);

  // What only searches need is computed at the first one: most pages are read without.
  const once = (make) => {
    let made;
    return () => (made ??= make());
  };

  // The rows that have each stem, with its weight in them. The script has the distance from row to row, and leaves out
  // rows that have a title only: their weights follow from its length.
  const postings = once(() => {
    const all = new Map();
    for (const [each, pairs] of Object.entries(POSTINGS)) {
      const weights = new Map();
      for (let at = 0, row = 0; at < pairs.length; at += 2) weights.set(row += pairs[at], pairs[at + 1]);
      all.set(each, weights);
    }
    for (const row of rows.filter((one) => one.leads)) {
      const title = stems(row.title), sums = new Map();
      const share = RANKING.title / (1 - RANKING.dilution + RANKING.dilution * title.length / RANKING.usual);
      for (const each of title) sums.set(each, (sums.get(each) ?? 0) + share);
      for (const [each, sum] of sums) {
        if (!all.has(each)) all.set(each, new Map());
        all.get(each).set(row.place, Math.max(1, Math.round(RANKING.unit * sum)));
      }
    }
    return all;
  });
  const found = (each) => postings().get(each) ?? new Map();
  const rarity = (count) => (count ? Math.log(1 + (rows.length - count + 0.5) / (count + 0.5)) ** RANKING.rarity : 0);

  // The rows that say all of some stems, each with the least of their weights. Stems that are meant together are joined by a blank.
  const said = new Map();
  const rowsWith = (meant) => {
    if (!said.has(meant)) {
      const [first, ...rest] = meant.split(" ").map(found);
      const all = [...first].filter(([at]) => rest.every((one) => one.has(at)));
      said.set(meant, new Map(all.map(([at, weight]) => [at, Math.min(weight, ...rest.map((one) => one.get(at)))])));
    }
    return said.get(meant);
  };

  // Whether two words are one letter apart: another one, one too many, or two exchanged. In short words no letter is another.
  const near = (one, two) => {
    if (Math.abs(one.length - two.length) > 1 || one === two) return false;
    if (Math.max(one.length, two.length) <= RANKING.short && [...one].sort().join() !== [...two].sort().join()) return false;
    const at = shared(one, two);
    const [a, b] = [one.slice(at), two.slice(at)];
    return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2));
  };

  // Whether one word is another with a slip in it: its first letter is seldom wrong, and a short word in which a letter is
  // another is a word of its own.
  const ordered = (word) => [...word].sort().join();
  const slip = (one, two) => near(one, two) && (one[0] === two[0] || ordered(one.slice(0, 2)) === ordered(two.slice(0, 2)))
    && (one.length !== two.length || one.length >= RANKING.sure || ordered(one) === ordered(two));

  // What a word may stand for: its own stem, longer ones while it is typed, those of words a slip away.
  const leading = new Set(SYNONYMS.flatMap(([said]) => said));
  const known = once(() => new Map([...[...postings().keys(), ...leading].map((each) => [each, each]), ...written]));
  const spelled = once(() => [...known()].filter(([form]) => written.has(form) || !has(FORMS, form))); // no stem that is no word
  const readings = (token, last) => {
    const own = stem(token);
    if (postings().has(own) || leading.has(own)) return new Map([[own, 1]]);
    const longer = last && token.length > 1 ? [...postings().keys()].filter((each) => each.startsWith(token)).sort() : [];
    if (longer.length) return new Map(longer.map((each) => [each, RANKING.prefix]));
    const share = token.length > RANKING.short ? RANKING.misspelled : RANKING.misspelled_short;
    return new Map(slips(token).sort().map((each) => [each, share]));
  };
  const slips = (token) => (token.length < RANKING.short ? [] : spelled().filter(([form]) => slip(token, form)).map(([, each]) => each));
  // Words that are known only as two are taken apart: a reader joins what the book writes apart.
  const parted = (token) => {
    if (known().has(token) || known().has(stem(token)) || slips(token).length) return [token];
    for (let at = RANKING.part; at <= token.length - RANKING.part; at += 1)
      if (known().has(token.slice(0, at)) && known().has(token.slice(at))) return [token.slice(0, at), token.slice(at)];
    return [token];
  };
  // Two numbers set against each other are a ratio, whichever they are.
  const asked = (query) => fold(query).replace(/\b\d+ ?(?:to|against|vs|:) ?\d+\b|^\s*\d+ ?- ?\d+\s*$/g, "ratio");
  // The words of a query that are left out: IF in capitals is an abbreviation if readers have one, unless all is in capitals.
  const stopsOf = (query) => {
    const capitals = (query.match(/\b[A-Z]{2,}\b/g) ?? []).map((each) => each.toLowerCase()).filter((each) => stops.has(each));
    const declared = (word) => SYNONYMS.some(([said]) => said.length === 1 && said[0] === word);
    return capitals.every(declared) ? new Set(STOP_WORDS.filter((each) => !capitals.includes(each))) : stops;
  };
  const sensesOf = (query) => {
    const typed = tokens(asked(query)), left = stopsOf(query);
    const useful = typed.filter((token) => !left.has(token));
    const kept = (useful.length ? useful : typed).flatMap(parted);
    const read = kept.map((token, at) => readings(token, at === kept.length - 1));
    const spoken = kept.map((token, at) => [...read[at].keys()][0] ?? stem(token));
    const senses = read.map((one) => new Map(one));
    const heard = read.map((one, step) => [step, one]), rest = [...heard];
    // Stop words are heard where what readers say has one in it: while moving is not every move.
    const every = !useful.length ? heard
      : typed.flatMap((token) => (left.has(token) ? [[-1, new Map([[token, 1]])]] : rest.splice(0, parted(token).length)));
    for (const [said, meant] of SYNONYMS) {
      const among = said.some((each) => stops.has(each)) ? every : heard;
      for (let at = 0; at + said.length <= among.length; at += 1) {
        // A word with a slip in it stands for what the word that was meant stands for.
        const share = Math.min(...said.map((each, step) => among[at + step][1].get(each) ?? 0)) * RANKING.synonym;
        if (!share) continue;
        for (const [step] of among.slice(at, at + said.length))
          if (step >= 0) senses[step].set(meant.join(" "), Math.max(share, senses[step].get(meant.join(" ")) ?? 0));
      }
    }
    for (let at = 1; at < kept.length; at += 1) {
      const whole = known().get(kept[at - 1] + kept[at]);
      if (postings().has(whole)) for (const step of [at - 1, at]) senses[step].set(whole, 1);
    }
    return [spoken, senses.map((one) => new Map([...one].filter(([each]) => rowsWith(each).size))), kept];
  };

  // The stems that a query matches in the book, with those of its synonyms.
  const matchedBy = (query) => new Set(sensesOf(query)[1].flatMap((one) => [...one.keys()].flatMap((each) => each.split(" "))));

  // The useful words of a query, each with what it may stand for.
  const readOf = (query) => {
    const [, senses, kept] = sensesOf(query);
    return kept.map((word, at) => [word, [...senses[at]]]).filter(([word]) => !stopsOf(query).has(word));
  };
  // The words of a query that nothing in the book says, and that stand for nothing in it.
  const unknown = (query) => {
    const cited = citedIn(query).filter((each) => each.includes(" ") && !numbered.has(each));
    const named = [...numbersOf(query), ...cited].flatMap((each) => each.split(" "));
    const lacking = readOf(query).filter(([word, one]) => !one.length && !named.includes(word)).map(([word]) => word);
    const foreign = (fold(query).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => /[^\x00-\x7f]/.test(word));
    return [...new Set([...cited, ...lacking, ...foreign])];
  };
  // The words of a query that the book does not say, each with those for which it is taken; not those still being typed.
  const readAs = (query) => {
    const found = new Map();
    for (const [word, one] of readOf(query)) {
      const most = Math.max(...one.map(([, share]) => share));
      if (postings().has(stem(word)) || !one.length || [1, RANKING.prefix].includes(most)) continue;
      const words = one.filter(([, share]) => share === most).map(([each]) => each.split(" ").map((own) => shown.get(own) ?? own).join(" "));
      found.set(word, [...new Set(words)].slice(0, RANKING.meant));
    }
    return [...found];
  };

  // The share of the words for who acts, in a query and a title, that are in both; 0 without any.
  const subjects = (row, query) => {
    const [said, meant] = [tokens(row.title), tokens(asked(query))].map((one) => new Set(one.filter((each) => RANKING.who.includes(each))));
    const all = new Set([...said, ...meant]).size;
    return all ? [...said].filter((each) => meant.has(each)).length / all : 0;
  };

  // A row that says words of the query side by side, or whose title the query says whole, in its words or in synonyms.
  const phrases = (row, query, spoken, senses, worths) => {
    const title = stems(row.title);
    const says = (at, each) => spoken[at] === each || senses[at].has(each);
    const text = ` ${title.join(" ")} | ${stems(row.text).join(" ")} `;
    const exact = title.length === spoken.length && title.every((each, at) => says(at, each));
    const titled = title.length && title.every((each) => spoken.some((_, at) => says(at, each)));
    let adjacent = 0, pairs = 0;
    for (let at = 1; at < spoken.length; at += 1) {
      const pair = worths[at - 1] + worths[at];
      pairs += pair;
      if (text.includes(` ${spoken[at - 1]} ${spoken[at]} `)) adjacent += pair;
    }
    return (exact ? RANKING.exact * (1 + RANKING.subject * subjects(row, query)) : titled ? RANKING.titled : 1) * (1 + RANKING.phrase * (adjacent ? adjacent / pairs : 0));
  };

  const scoresOf = (query) => {
    const [spoken, senses] = sensesOf(query);
    const [sums, covered, beside, addressed] = [new Map(), new Map(), new Map(), new Map()];
    const grow = (map, key, by) => map.set(key, (map.get(key) ?? 0) + by);
    const raise = (map, key, to) => map.set(key, Math.max(to, map.get(key) ?? 0));
    const worths = [];
    for (const one of senses) {
      // A word and its synonyms are one: its weight is the rarity of them all.
      const all = new Set([...one.keys()].flatMap((each) => [...rowsWith(each).keys()]));
      const worth = rarity(all.size), best = new Map();
      worths.push(worth * Math.max(0, ...one.values()));
      for (const [each, share] of one) {
        const own = rarity(rowsWith(each).size);
        for (const [at, weight] of rowsWith(each)) {
          const gain = share * own * weight / (weight + RANKING.unit * RANKING.saturation);
          const [more, most] = best.get(at) ?? [0, 0];
          best.set(at, [Math.max(gain, more), Math.max(share * worth, most)]);
        }
      }
      const there = new Map(), under = new Map();
      for (const [at, [gain, most]] of best) {
        grow(sums, at, gain);
        grow(covered, at, most);
        raise(there, rows[at].beside, most);
        raise(under, rows[at].address, gain);
      }
      for (const [place, most] of there) grow(beside, place, most);
      for (const [address, gain] of under) grow(addressed, address, gain);
    }
    const whole = worths.reduce((sum, each) => sum + each, 0);
    const scores = new Map();
    for (const [at, gain] of sums) {
      const row = rows[at];
      const more = RANKING.lent * Math.max(0, beside.get(row.beside) - covered.get(at));
      const others = RANKING.shared * Math.max(0, addressed.get(row.address) - gain);
      const share = Math.min(1, (covered.get(at) + more) / whole);
      scores.set(at, (gain + others) * share ** RANKING.coverage * (RANKING.sorts[row.sort] ?? 1));
    }
    for (const at of ranked(scores).slice(0, RANKING.candidates)) scores.set(at, scores.get(at) * phrases(rows[at], query, spoken, senses, worths));
    return scores;
  };
  const ranked = (scores) => [...scores.keys()].sort((a, b) => scores.get(b) - scores.get(a) || a - b);

  // What is named outright comes first: a number, a label, an item of a source or the end of one.
  const numbered = new Set(rows.map((row) => fold(row.number)).filter(Boolean));
  const plain = (query) => fold(query).trim().replace(/\s+/g, " ");
  const citedIn = (query) => plain(query).match(/(?<![\w.-])\d+(?:\.\d+)+(?:-\d+)?[a-z]?(?: q\d+)?(?![\w.-])/g) ?? [];
  const numbersOf = (query) => {
    const whole = plain(query), named = citedIn(query);
    return [whole, ...named.map((each) => (numbered.has(each) ? each : each.split(" ")[0]))].filter((each) => numbered.has(each));
  };
  const outright = (query) => {
    const numbers = numbersOf(query);
    const name = fold(query).trim().replace(/\s+/g, "-");
    const item = fold(query).trim().replace(/[\s.]+/g, ".");
    const rank = (row) => {
      if (row.number && numbers.includes(fold(row.number))) return 4;
      if (row.sort === "Source" && (row.anchor === item || (/\.\d+$/.test(item) && row.anchor.endsWith(`.${item}`)))) return 3;
      return row.anchor === name && name.includes("-") ? 2 : 0;
    };
    return rows.map((row) => [row.place, rank(row)]).filter(([, how]) => how);
  };

  // The entries of the index, and the queries, that led to rows, by the address of the row: the best of each, if it
  // has more words of the query than the row.
  const foundBy = (all, matching) => {
    const best = new Map();
    const common = (...texts) => new Set(texts.flatMap(stems).filter((each) => matching.has(each))).size;
    for (const row of all.map((at) => rows[at]).filter((one) => one.sort === "Index" || one.sort === "Asked")) {
      const own = heads.get(row.address);
      if (!best.has(row.address) && common(row.title) > common(own.title, own.text)) best.set(row.address, row.title);
    }
    return best;
  };

  // The first of some scores, and a share of the second and the third.
  const total = (scores) => scores[0] + RANKING.together * scores.slice(1, 3).reduce((sum, each) => sum + each, 0);

  // The places that a query leads to: { head, rows, score, foundBy }, the best first.
  const find = (query) => {
    const scores = scoresOf(query), lifted = new Map(outright(query).map(([at, rank]) => [at, 100 * rank]));
    for (const [at, lift] of lifted) scores.set(at, (scores.get(at) ?? 0) + lift);
    // An entry of the index is there for what it leads to.
    const matching = matchedBy(query), together = new Map(), best = new Map();
    for (const at of ranked(scores)) {
      together.set(rows[at].beside, [...(together.get(rows[at].beside) ?? []), at]);
      if (!best.has(heads.get(rows[at].address))) best.set(heads.get(rows[at].address), scores.get(at));
    }
    const scoreOf = (all, of) => total(all.map((at) => of.get(at) ?? 0));
    // What is named outright hides nothing that also answers the query.
    const most = Math.max(0, ...[...together.values()].map((all) => scoreOf(all, scores) - scoreOf(all, lifted)));
    const places = [...together].map(([address, all]) => {
      const head = heads.get(address) ?? rows[all[0]];
      const found = [...new Set(all.map((at) => heads.get(rows[at].address)))];
      return { head, rows: found, score: scoreOf(all, scores), foundBy: foundBy(all, matching) };
    });
    places.sort((a, b) => b.score - a.score || a.head.place - b.head.place);
    return bySection(places.filter((place) => place.score >= most * RANKING.least), best);
  };

  // The places under one heading are one result, the best of them, and the next best add to its score. Rules and
  // rulings beyond those that are shown with it are a result of their own if they answer nearly as well.
  const bySection = (places, scores) => {
    const sections = new Map();
    for (const place of places) {
      const section = place.head.section || place.head.address;
      sections.set(section, [...(sections.get(section) ?? []), place]);
    }
    return [...sections.values()].flatMap(([best, ...others]) => {
      const found = [...new Set([best, ...others].flatMap((place) => place.rows))].sort((a, b) => scores.get(b) - scores.get(a));
      const by = new Map([best, ...others].flatMap((place) => [...place.foundBy]));
      const score = best.score + RANKING.section * others.slice(0, 2).reduce((sum, other) => sum + other.score, 0);
      const result = { ...best, rows: found, foundBy: by, score };
      const left = found.filter((row) => row !== best.head).slice(RANKING.beneath).filter((row) => RANKING.rules.includes(row.sort));
      if (!left.length || scores.get(left[0]) < RANKING.rest * scores.get(found[0])) return [result];
      return [result, { head: left[0], rows: left, foundBy: by, score: total(left.map((row) => scores.get(row))) }];
    }).sort((a, b) => b.score - a.score);
  };

  // The stretch of a text that holds most of what was asked for, in pieces: [words, whether they were asked for].
  const marked = (text, query) => {
    const wanted = matchedBy(query);
    return text.split(/\s+/).filter(Boolean).map((word) => [word, stems(word).some((each) => wanted.has(each))]);
  };
  const passage = (row, query, length = 26) => {
    const words = marked(row.text, query);
    const hits = words.map(([, hit]) => hit);
    let start = 0, most = -1;
    for (let at = 0; at === 0 || at + length <= words.length + 3; at += 4) {
      const count = hits.slice(at, at + length).filter(Boolean).length;
      if (count > most) [start, most] = [at, count];
    }
    const shown = words.slice(start, start + length);
    if (start > 0) shown.unshift(["…", false]);
    if (start + length < words.length) shown.push(["…", false]);
    return shown;
  };

  return { find, marked, passage, readAs, rows, stems, unknown };
})();

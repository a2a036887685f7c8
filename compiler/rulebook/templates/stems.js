// Takes a word back to its stem: Porter's second algorithm for English as snowballstemmer has it, which made the postings.
// For words that the index does not have as they are typed; what has an irregular form is in FORMS.
"use strict";
const STEM = (() => {
  const WHOLE = { skis: "ski", skies: "sky", idly: "idl", gently: "gentl", ugly: "ugli", early: "earli", only: "onli", singly: "singl" };
  for (const each of "andes atlas bias cosmos howe news sky".split(" ")) WHOLE[each] = each;
  const pairs = (text) => text.split(" ").map((each) => each.split(":")).sort((a, b) => b[0].length - a[0].length);
  const SECOND = pairs(
    "anci:ance enci:ence ogi:og li: bli:ble abli:able alli:al fulli:ful lessli:less ousli:ous entli:ent aliti:al biliti:ble iviti:ive " +
    "tional:tion ational:ate alism:al ation:ate ization:ize izer:ize ator:ate iveness:ive fulness:ful ousness:ous ogist:og");
  const THIRD = pairs("icate:ic ative: alize:al iciti:ic ical:ic tional:tion ational:ate ful: ness:");
  const FOURTH = pairs("ic: ance: ence: able: ible: ate: ive: ize: iti: al: ism: ion: er: ous: ant: ent: ment: ement:");
  const ending = (word, table) => table.find(([end]) => word.endsWith(end)) ?? ["", ""];
  const region = (text) => (/^[^aeiouy]*[aeiouy]+[^aeiouy]/.exec(text) ?? [text])[0].length;
  const isShort = (word) => /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy]|past)$/.test(word);

  const withoutPlural = (word) => {
    if (word.endsWith("sses")) return word.slice(0, -2);
    if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
    return /(?:us|ss)$/.test(word) || !/[aeiouy].+s$/.test(word) ? word : word.slice(0, -1);
  };
  const withoutTense = (word, first) => {
    const [end] = /(?:eedly|ingly|edly|eed|ing|ed)$/.exec(word) ?? [""];
    const base = word.slice(0, word.length - end.length);
    if (!end) return word;
    if (end.startsWith("eed")) return base.length < first || /^(?:succ|proc|exc)$/.test(base) ? word : `${base}ee`;
    if (end === "ing" && /^(?:even|cann|inn|earr|herr|out)$/.test(base)) return word;
    if (end === "ing" && /^[^aeiouy]y$/.test(base)) return `${base[0]}ie`;
    if (!/[aeiouy]/.test(base)) return word;
    if (/(?:bl|at|iz)$/.test(base)) return `${base}e`;
    if (/([bdfgmnprt])\1$/.test(base)) return /^[aeo]..$/.test(base) ? base : base.slice(0, -1);
    return base.length === first && isShort(base) ? `${base}e` : base;
  };
  const derived = (word, first, second) => {
    const [end, meant] = ending(word, SECOND);
    let base = word.slice(0, word.length - end.length);
    const allowed = end === "ogi" ? base.endsWith("l") : end === "li" ? /[cdeghkmnrt]$/.test(base) : end;
    if (allowed && base.length >= first) word = base + meant;
    const [third, by] = ending(word, THIRD);
    base = word.slice(0, word.length - third.length);
    if (third && base.length >= (third === "ative" ? second : first)) word = base + by;
    const [fourth] = ending(word, FOURTH);
    base = word.slice(0, word.length - fourth.length);
    return fourth && base.length >= second && (fourth !== "ion" || /[st]$/.test(base)) ? base : word;
  };
  return (token) => {
    // The plural of an abbreviation, which has no vowel: HMGs.
    if (/^[^aeiouy]{2,}s$/.test(token)) return token.slice(0, -1);
    if (Object.hasOwn(WHOLE, token)) return WHOLE[token];
    if (token.length < 3) return token;
    let word = token.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
    const [whole] = /^(?:arsen|commun|emerg|gener|inter|later|organ|past|univers)/.exec(word) ?? [""];
    const first = whole.length || region(word);
    const second = first + region(word.slice(first));
    word = withoutTense(withoutPlural(word), first);
    word = derived(word.replace(/^(.+[^aeiouy])[yY]$/, "$1i"), first, second);
    const base = word.slice(0, -1);
    if (word.endsWith("e") && (base.length >= second || (base.length >= first && !isShort(base)))) word = base;
    else if (word.endsWith("ll") && base.length >= second) word = base;
    return word.replace(/Y/g, "y");
  };
})();

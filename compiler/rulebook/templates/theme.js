// Day or night as the reader chose last; else as the system says. Runs before anything is painted.
"use strict";
// Without scripts the style sheet hides the search, which does nothing then.
document.documentElement.dataset.scripts = "";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* A file may have no storage: the system decides. */ }

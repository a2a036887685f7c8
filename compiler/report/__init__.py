"""Problems in, diagnostics out, in four renderings; the only room that words a finding."""

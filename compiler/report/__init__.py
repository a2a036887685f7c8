"""Problems in, diagnostics out, in four renderings; the only package that words a finding."""

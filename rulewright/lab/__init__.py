"""The analyst's lab: experiments set up, kept on disk, carried out and written up."""

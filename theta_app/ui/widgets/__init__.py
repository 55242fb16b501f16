"""Parts that pages share: controls, downloads, progress, charts with their downloads, numbers in words."""

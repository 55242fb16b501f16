"""What each page shows, one module or package per page. None imports another."""

"""The Learn page: ``lessons`` is the page, ``parts`` the browser's side, ``theory`` the boxes below."""

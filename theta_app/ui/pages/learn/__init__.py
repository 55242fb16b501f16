"""The Learn page: ``stories`` holds the numbers of each lesson, ``parts`` the browser's side, ``lessons`` the page."""

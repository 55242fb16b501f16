"""What axe-core finds on a page that keeps people out: in the light and in the dark theme."""

from axe_playwright_python.sync_playwright import Axe

from tests.browser.helpers import painted

_AXE = Axe()
_DARK = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === 'dark'"


def barriers(page) -> list[str]:
    """A line per serious or critical violation, and per heading out of order. The page is left in the dark theme."""
    page.emulate_media(color_scheme="light")
    painted(page)
    found = [f"light: {line}" for line in _violations(page, {})]
    page.emulate_media(color_scheme="dark")
    page.wait_for_function(_DARK)
    painted(page)
    return found + [f"dark: {line}" for line in _violations(page, {"runOnly": ["color-contrast"]})]


def _violations(page, options: dict) -> list[str]:
    found = _AXE.run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    grave = [v for v in found if v["impact"] in ("serious", "critical") or v["id"] == "heading-order"]
    return [f"{v['id']}: {v['help']}: {[node['html'][:200] for node in v['nodes']]}" for v in grave]

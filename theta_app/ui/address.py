"""The address under which others can open this app, and its QR code."""

import ipaddress
import socket
from urllib.parse import urlencode, urlsplit

ONLY_HERE = (
    "Only this machine can open this link. To let others in, start the app with `theta-app --address 0.0.0.0` or "
    "`make run ADDRESS=0.0.0.0`, and open the address it prints."
)


def is_this_machine(host: str) -> bool:
    """Whether a host names the machine that asks."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def own_address() -> str:
    """This machine's address in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address reserved for examples: only the route is looked up
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()


def for_others(page: str, listens: str | None, port: int) -> str | None:
    """A page's address as others open it, or None where only this machine can.

    ``page`` is the address in this browser, without its parameters; the server listens at ``listens`` (None for all)
    and ``port``.
    """
    seen = urlsplit(page)
    if seen.hostname and not is_this_machine(seen.hostname):
        return page  # this browser came over the network: so can others
    if listens and is_this_machine(listens):
        return None
    host = own_address() if listens in (None, "", "0.0.0.0", "::") else listens
    if is_this_machine(host):
        return None
    return f"{seen.scheme or 'http'}://{f'[{host}]' if ':' in host else host}:{port}{seen.path}"


def link(parameters: dict[str, str]) -> str:
    """The link of this page: as others open it, or where they cannot as this machine does."""
    import streamlit as st

    here = (st.context.url or "").split("?")[0]
    there = here and for_others(here, st.get_option("server.address"), st.get_option("server.port"))
    return f"{there or here}?{urlencode(parameters)}"


def shared(to: str) -> dict:
    """What is shown of a link: ``link``, ``qr`` (its QR code as SVG, or None) and ``note``, what to know about it."""
    if is_this_machine(urlsplit(to).hostname or "localhost"):
        return {"link": to, "qr": None, "note": ONLY_HERE}
    code = qr_picture(to)
    return {"link": to, "qr": code, "note": "" if code else "The link is too long for a QR code. Copy it instead."}


def qr_picture(text: str) -> str | None:
    """A QR code as SVG, with the margin that readers need. None where the text is too long for one."""
    if (rows := qr_rows(text)) is None:
        return None
    size = len(rows) + 8
    dark = "".join(f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(rows) for x, one in enumerate(row) if one == "1")
    marks = f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{dark}" fill="#000"/>'
    named = f'viewBox="0 0 {size} {size}" role="img" aria-label="QR code of the link" shape-rendering="crispEdges"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {named}>{marks}</svg>'


def qr_rows(text: str) -> list[str] | None:
    """The modules of a QR code, row by row: "1" is dark. None where the text is too long for one."""
    import segno

    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        return None
    return ["".join(str(module) for module in row) for row in code.matrix]

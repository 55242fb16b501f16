"""Headers that Streamlit does not send: no other site may frame the app, and no script may read the visitor's cookie.

``theta-app`` and ``make run`` send them, which start the server themselves; ``streamlit run`` does not.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from theta_app.ui import streamlit_internals
from theta_app.ui.visitor import COOKIE

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


LOG = logging.getLogger("theta_app")
HEADERS = {
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "frame-ancestors 'self'; object-src 'none'; base-uri 'self'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
_MONTH = 30 * 24 * 3600


class Headers:
    """An ASGI application that adds them to what another answers, and the visitor's cookie to its pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_added(scope, dict(message.get("headers", ())))]
            await send(message)

        await self.app(scope, receive, with_headers)


def _added(scope: Scope, answered: Mapping[bytes, bytes]) -> Iterator[tuple[bytes, bytes]]:
    for name, value in HEADERS.items():
        if name.lower().encode() not in answered:
            yield name.lower().encode(), value.encode()
    asked = dict(scope["headers"])
    if answered.get(b"content-type", b"").startswith(b"text/html") and COOKIE.encode() not in asked.get(b"cookie", b""):
        safe = "https" in (scope.get("scheme"), asked.get(b"x-forwarded-proto", b"").decode("latin-1"))
        cookie = f"{COOKIE}={secrets.token_urlsafe(24)}; Path=/; Max-Age={_MONTH}; HttpOnly; SameSite=Lax"
        yield b"set-cookie", (cookie + ("; Secure" if safe else "")).encode()


def begin() -> None:
    """Have the server of this process send them; call it before it starts."""
    if not streamlit_internals.add_middleware(Headers):
        LOG.warning("this version of Streamlit has no place for the headers of theta-app; a proxy should send them")

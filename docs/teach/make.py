"""Make the PDF files of this folder from its Markdown: python docs/teach/make.py. Needs Chromium and Playwright.

The title of each file ends with a digest of what it was made from, so that a test can tell whether it is up to date.
"""

import hashlib
import html
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHEETS = ("exercises", "answers")
_STYLE = """
@page { size: A4; margin: 16mm 17mm; }
body { font: 10.6pt/1.42 "DejaVu Sans", system-ui, sans-serif; color: #16202a; }
h1 { font-size: 17pt; margin: 0 0 3mm; } h2 { font-size: 12.5pt; margin: 5mm 0 1.5mm; }
ol, ul { margin: 0; padding-left: 6mm; } li { margin-bottom: 1.9mm; }
a { color: #0b63a5; } code { font-size: 9.5pt; }
"""


def as_html(text: str) -> str:
    """The little Markdown that the sheets use: headings, paragraphs, numbered and plain lists, bold, italics, links."""
    blocks, kind = [], None
    for line in text.splitlines():
        heading, item = re.match(r"(#+) (.*)", line), re.match(r"(\d+\.|-) (.*)", line)
        if heading:
            blocks.append(["h" + str(len(heading[1])), heading[2]])
            kind = None
        elif item:
            kind = "ol" if item[1] != "-" else "ul"
            blocks.append([kind, item[2]])
        elif not line.strip():
            kind = None
        elif kind:
            blocks[-1][1] += " " + line.strip()
        else:
            kind = "p"
            blocks.append(["p", line.strip()])
    out = []
    for at, (name, words) in enumerate(blocks):
        listed = name in ("ol", "ul")
        before, after = (blocks[i][0] if 0 <= i < len(blocks) else "" for i in (at - 1, at + 1))
        out.append(f"<{name}>" if listed and before != name else "")
        out.append(f"<{'li' if listed else name}>{_inline(words)}</{'li' if listed else name}>")
        out.append(f"</{name}>" if listed and after != name else "")
    return "".join(out)


def _inline(words: str) -> str:
    words = html.escape(words, quote=False)
    words = re.sub(r"\[([^\]]+)\]\(([^)]+)\)", r'<a href="\2">\1</a>', words)
    words = re.sub(r"`([^`]+)`", r"<code>\1</code>", words)
    words = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", words)
    return re.sub(r"\*([^*]+)\*", r"<i>\1</i>", words)


def document(name: str) -> tuple[str, str]:
    """(HTML, digest) of a sheet."""
    text = (HERE / f"{name}.md").read_text(encoding="utf-8")
    digest = hashlib.sha256((_STYLE + as_html(text)).encode()).hexdigest()[:12]
    head = f"<meta charset='utf-8'><title>ThetA {name} {digest}</title><style>{_STYLE}</style>"
    return f"<!doctype html><html lang='en'><head>{head}</head><body>{as_html(text)}</body></html>", digest


def main() -> None:
    from playwright.sync_api import sync_playwright

    sys.path.insert(0, str(HERE.parents[1]))
    from tests.browser.find_chromium import find_chromium

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        for name in SHEETS:
            page.set_content(document(name)[0])
            page.pdf(path=HERE / f"{name}.pdf", prefer_css_page_size=True)
        browser.close()


if __name__ == "__main__":
    main()

"""Files of JavaScript are joined to one text, or said why not."""

from pathlib import Path

import pytest

from theta_app.ui import components

UI = Path(components.__file__).parent
ENTRIES = [file for file in UI.rglob("*.js") if "\nexport default" in file.read_text(encoding="utf-8")]


@pytest.fixture
def write(tmp_path):
    """Write files given as name -> text; returns the path of the first, to start from."""

    def write(**files):
        for name, text in files.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return tmp_path / f"{next(iter(files))}.js"

    return write


def test_each_file_stands_once_and_after_what_it_needs(write):
    text = components.joined(
        write(
            main='import { b } from "./b.js";\nimport { a, twice } from "./a.js";\nexport default twice(a + b);\n',
            b='import { a } from "./a.js";\nexport const b = a + 1;\n',
            a="export const a = 1;\nexport function twice(x) { return 2 * x; }\n",
        )
    )
    assert text.count("const a = 1;") == 1
    assert text.index("const a") < text.index("const b") < text.index("export default")


def test_only_the_default_is_still_exported_and_nothing_imported(write):
    text = components.joined(
        write(
            main='import {\n  A,\n  b,\n} from "./a.js";\nexport default b(A);\n',
            a="export class A {}\nexport async function b() {}\n",
        )
    )
    assert text == "class A {}\nasync function b() {}\n\nexport default b(A);\n"


def test_files_of_other_folders_can_be_imported(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "shared.js").write_text("export const shared = 1;\n")
    (tmp_path / "one" / "main.js").write_text('import { shared } from "../shared.js";\nexport default shared;\n')
    assert components.joined(tmp_path / "one" / "main.js").startswith("const shared = 1;")


def test_a_file_is_read_once(write):
    entry = write(main="export default 1;\n")
    first = components.joined(entry)
    entry.write_text("export default 2;\n")
    assert components.joined(entry) == first


DEFAULT = "export default 1;\n"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {
                "main": f'import {{ a }} from "./a.js";\n{DEFAULT}',
                "a": 'import { b } from "./b.js";\nexport const a = 1;\n',
                "b": 'import { a } from "./a.js";\nexport const b = 1;\n',
            },
            "import each other: a.js -> b.js -> a.js",
        ),
        ({"main": f'import {{ a as b }} from "./a.js";\n{DEFAULT}', "a": "export const a = 1;\n"}, "a as b"),
        ({"main": f'import * as all from "./a.js";\n{DEFAULT}', "a": "export const a = 1;\n"}, "import { name } from"),
        (
            {
                "main": f'import {{ a }} from "./a.js";\nconst size = 1;\n{DEFAULT}',
                "a": "export const a = 1;\nlet size;\n",
            },
            "size stands in a.js and in main.js",
        ),
        ({"main": f'import {{ a }} from "./a.js";\n{DEFAULT}', "a": "const a = 1;\n"}, "a.js does not export: a"),
        ({"main": f"const a = 1;\nexport {{ a }};\n{DEFAULT}"}, "must stand at what it exports"),
        ({"main": "const a = 1;\n"}, "export default"),
        (
            {"main": f'import {{ a }} from "./a.js";\n{DEFAULT}', "a": f"export const a = 1;\n{DEFAULT}"},
            "export default",
        ),
    ],
    ids=["circle", "alias", "star", "same name", "not exported", "list of exports", "no default", "two defaults"],
)
def test_what_cannot_be_joined_is_said(write, files, words):
    with pytest.raises(ValueError) as caught:
        components.joined(write(**files))
    assert words in str(caught.value)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry.relative_to(UI)))
def test_every_component_of_the_app_can_be_joined(entry):
    text = components.joined(entry)
    assert text.count("\nexport ") + text.startswith("export ") == 1
    assert "\nimport " not in text

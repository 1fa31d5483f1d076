# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links that move in: the file that Google Takeout gave for each domain."""

import csv
import io
import itertools
import json
import os
import pathlib
import re
import signal

import pytest
from world import agents, links
from world.click import click
from world.dynamic_links import BUNDLE, PACKAGE, PAD_BUNDLE, PAYLOAD, STORE, LinkPlace, app_store, intent, query
from world.operator import one_line
from world.terminal import Terminal

HEADER = [
    "Short link", "Deep link (link)", "Android package name (apn)", "Android fallback link (afl)",
    "Android minimum version (amv)", "iOS bundle id (ibi)", "iOS fallback link (ifl)", "iOS custom scheme (ius)",
    "iPad fallback link (ipfl)", "iPad bundle id (ipbi)", "App Store id (isi)", "iOS minimum version (imv)",
    "Forced redirect (efr)", "Other platform link (ofl)", "Social title (st)", "Social description (sd)",
    "Social image (si)", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "at", "ct", "mt", "pt",
    "Archived?", "Link name", "Creation timestamp",
]  # fmt: skip
COLUMNS = [
    "short", "link", "apn", "afl", "amv", "ibi", "ifl", "ius", "ipfl", "ipbi", "isi", "imv", "efr", "ofl", "st", "sd",
    "si", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "at", "ct", "mt", "pt", "archived",
    "name", "created",
]  # fmt: skip
DOMAIN = "links.takeout.example"


def row(short, link=PAYLOAD, **more):
    values = {"short": short, "link": link, "archived": "false", "created": "2023-05-04T10:11:12Z"} | more
    assert set(values) <= set(COLUMNS)
    return [values.get(name, "") for name in COLUMNS]


def takeout(*rows, header=HEADER, ending="\r\n"):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator=ending)
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


@pytest.fixture(scope="module")
def place(homing):
    place = LinkPlace(homing, "moved")
    homing.command("link-domain", "add", "moved", DOMAIN)
    return place


def imported(place, text, expect=0, more=()):
    path = place.homing.folder / "takeout.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return place.homing.command("link", "import", "moved", str(path), *more, expect=expect)


def resolve(place, suffix, agent=agents.WINDOWS):
    return click(place.homing, f"https://{DOMAIN}/{suffix}", agent)


def test_short_codes_are_kept_and_lead_where_they_led(place):
    imported(
        place,
        takeout(
            row(f"https://{DOMAIN}/abcd"),
            row(f"https://{DOMAIN}/XyZ0", "https://good.example/,with,commas?a=1"),
            row(f"https://{DOMAIN}/spring-23", ofl="https://good.example/desktop", name="Spring, 2023\nsecond line"),
        ),
    )
    assert resolve(place, "abcd").location == PAYLOAD
    assert resolve(place, "XyZ0").location == "https://good.example/,with,commas?a=1"
    assert resolve(place, "spring-23").location == "https://good.example/desktop"
    assert resolve(place, "ABCD").status == 404


def test_every_column_is_kept(place):
    values = {
        "apn": PACKAGE, "afl": "https://good.example/android", "amv": "12", "ibi": BUNDLE,
        "ifl": "https://good.example/iphone", "ius": "lighthouse", "ipfl": "https://good.example/ipad",
        "ipbi": PAD_BUNDLE, "isi": STORE, "imv": "2.3.4", "ofl": "https://good.example/desktop",
        "st": "A title", "sd": 'With "quotes", commas', "si": "https://good.example/p.png", "utm_source": "letter",
        "utm_medium": "mail", "utm_campaign": "autumn", "utm_term": "tower", "utm_content": "top", "at": "11l1",
        "ct": "autumn", "mt": "8", "pt": "1001",
    }  # fmt: skip
    imported(place, takeout(row(f"https://{DOMAIN}/every", efr="1", name="Everything", **values)))
    requested = {"requestedLink": f"https://{DOMAIN}/every", "bundleId": BUNDLE}
    resolved = place.ask(requested, "reopenAttribution")["resolvedLink"]
    assert dict(links.parameters(resolved)) == values | {"link": PAYLOAD, "efr": "1"}
    assert resolve(place, "every", agents.IPHONE).location == "https://good.example/iphone", "efr=1 is in force"
    told = place.homing.told("link", "show", "moved", f"https://{DOMAIN}/every")
    assert told["name"] == "Everything" and told["createdAt"].startswith("2023-05-04T10:11:12")


@pytest.mark.parametrize(
    "written, forced", [("1", True), ("true", True), ("TRUE", True), ("0", False), ("false", False), ("", False)]
)
def test_a_forced_redirect_is_read_however_it_was_written(place, written, forced):
    suffix = f"efr-{written or 'none'}"
    imported(place, takeout(row(f"https://{DOMAIN}/{suffix}", ibi=BUNDLE, isi=STORE, efr=written)))
    location = resolve(place, suffix, agents.IPHONE).location
    assert (location == app_store()) == forced and ("/_/open?link=" in location) == (not forced)


def test_archived_links_resolve_and_are_not_listed(place):
    imported(place, takeout(row(f"https://{DOMAIN}/archived1", apn=PACKAGE, archived="true", name="Of old")))
    assert resolve(place, "archived1").location == PAYLOAD
    assert intent(resolve(place, "archived1", agents.ANDROID).location)[2] == PACKAGE
    assert "archived1" not in place.homing.command("link", "list", "moved").stdout
    assert "archived1" in place.homing.command("link", "list", "moved", "--archived").stdout


def test_rows_of_googles_own_hosts_and_of_others_are_named_and_the_rest_is_kept(place):
    done = imported(
        place,
        takeout(
            row("https://lighthouse.page.link/dead1"),
            row("https://lighthouse.app.goo.gl/dead2"),
            row("https://nobody.example/other3"),
            row(f"https://{DOMAIN}/alive4"),
            row(f"https://{DOMAIN}/wrong5", "https://evil.example/"),
            row(f"https://{DOMAIN}/a/b6"),
        ),
        expect=None,
    )
    said = done.stdout + done.stderr
    for word in (
        "lighthouse.page.link/dead1",
        "lighthouse.app.goo.gl/dead2",
        "nobody.example/other3",
        "wrong5",
        "a/b6",
    ):
        assert word in said, f"{word} is not named in: {said}"
    assert resolve(place, "alive4").location == PAYLOAD
    answer = resolve(place, "wrong5")
    assert answer.status in (400, 404) and answer.location is None


def test_a_code_that_exists_is_named_and_never_overwritten(place):
    imported(place, takeout(row(f"https://{DOMAIN}/mine1", "https://good.example/first")))
    done = imported(
        place,
        takeout(row(f"https://{DOMAIN}/mine1", "https://good.example/second"), row(f"https://{DOMAIN}/mine2")),
        expect=None,
    )
    assert f"{DOMAIN}/mine1" in done.stdout + done.stderr
    assert resolve(place, "mine1").location == "https://good.example/first"
    assert resolve(place, "mine2").location == PAYLOAD
    place.homing.command("link", "create", "moved", "--domain", DOMAIN, "--suffix", "own1", "--link", PAYLOAD)
    imported(place, takeout(row(f"https://{DOMAIN}/own1", "https://good.example/second")), expect=None)
    assert resolve(place, "own1").location == PAYLOAD


def test_the_same_file_twice_changes_nothing(place):
    text = takeout(row(f"https://{DOMAIN}/twice1", name="Twice"), row(f"https://{DOMAIN}/twice2"))
    imported(place, text)

    def listed():
        # Clicks of other tests may be written meanwhile.
        return [link | {"clicks": 0} for link in place.homing.told("link", "list", "moved", "--all", "--archived")]

    before = listed()
    imported(place, text, expect=None)
    assert listed() == before


MALFORMED = {
    "an open quote": takeout(row(f"https://{DOMAIN}/never1")) + '"https://links.takeout.example/never2,x\r\n',
    "a quote inside": takeout(row(f"https://{DOMAIN}/never1")) + 'a"b' + "," * 28 + "\r\n",
    "text after a quote": takeout(row(f"https://{DOMAIN}/never1")) + '"a"b' + "," * 28 + "\r\n",
    "too few columns": takeout(row(f"https://{DOMAIN}/never1"), row(f"https://{DOMAIN}/never2")[:-1]),
    "too many columns": takeout(row(f"https://{DOMAIN}/never1"), row(f"https://{DOMAIN}/never2") + ["x"]),
    "no header": takeout(row(f"https://{DOMAIN}/never2"), header=row(f"https://{DOMAIN}/never1")),
    "another header": takeout(row(f"https://{DOMAIN}/never1"), header=["Name", *HEADER[1:]]),
    "nothing": "",
    "no deep link": takeout(row(f"https://{DOMAIN}/never1"), header=["Short link", "Where it leads", *HEADER[2:]]),
    "a column twice": takeout(row(f"https://{DOMAIN}/never1"), header=[*HEADER[:-1], "APN"]),
    "a row without an end": takeout(row(f"https://{DOMAIN}/never1")) + '"' + "a,\n" * 400_000,
    "a workbook": b"PK\x03\x04\x14\x00\x06\x00" + bytes(range(256)) * 10,
    "no UTF-8": takeout(row(f"https://{DOMAIN}/never1")).encode() + b"\xff\xfe" + b"," * 28 + b"\r\n",
    "a NUL": takeout(row(f"https://{DOMAIN}/never1"), row(f"https://{DOMAIN}/never2", st="\0")),
    "JSON": "[]",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 10,
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_file_imports_nothing(place, name):
    line = one_line(imported(place, MALFORMED[name], expect=1))
    assert "takeout.csv" in line or "line" in line, line
    for suffix in ("never1", "never2"):
        assert resolve(place, suffix).status == 404


def test_a_malformed_file_says_on_which_line(place):
    text = takeout(row(f"https://{DOMAIN}/never1", st="two\nlines"), row(f"https://{DOMAIN}/never2")[:-1])
    assert "4" in one_line(imported(place, text, expect=1)), "the second row begins on the file's fourth line"


@pytest.mark.parametrize("change", [
    lambda text: "\ufeff" + text,
    lambda text: text.replace("\r\n", "\n"),
    lambda text: text.rstrip("\r\n"),
    lambda text: text.replace("Short link", "SHORT LINK", 1),
    lambda text: text.replace("Short link", '"Short link"', 1),
    lambda text: text + "\r\n\r\n",
    lambda text: text.replace(",", ";"),
    lambda text: text.replace(",", "\t"),
    lambda text: text.encode("utf-16"),
    lambda text: text.encode("utf-16-be"),
], ids=["byte order mark", "LF", "no last line end", "capitals", "quoted header", "blank lines", "semicolons", "tabs",
        "UTF-16", "UTF-16 without a mark"])  # fmt: skip
def test_a_file_may_be_written_in_several_ways(place, change, request):
    suffix = f"way-{request.node.callspec.indices['change']}"
    imported(place, change(takeout(row(f"https://{DOMAIN}/{suffix}", st="Title"))))
    assert resolve(place, suffix).location == PAYLOAD


def test_a_file_that_is_not_there_is_named(place):
    line = one_line(place.homing.command("link", "import", "moved", "/nowhere/takeout.csv", expect=1))
    assert "/nowhere/takeout.csv" in line


def test_columns_are_known_by_their_names_and_one_that_is_not_is_named(place):
    text = (
        "Link name,Clicks,Archived?,androidPackageName,Deep link,Owner,Short link\n"
        f"Shuffled,12,,{PACKAGE},https://good.example/shuffled,ada,https://{DOMAIN}/shuffled1\n"
    )
    said = imported(place, text).stdout
    assert "not read: Clicks, Owner" in said
    assert resolve(place, "shuffled1").location == "https://good.example/shuffled"
    assert intent(resolve(place, "shuffled1", agents.ANDROID).location)[2] == PACKAGE
    assert place.homing.told("link", "show", "moved", f"https://{DOMAIN}/shuffled1")["name"] == "Shuffled"


def test_columns_that_lack_are_named_beside_those_that_are_there(place):
    line = one_line(imported(place, "Short name,Where,apn\na,b,c\n", expect=1))
    for name in ("Short link", "Deep link", "Short name", "Where", "apn"):
        assert f'"{name}"' in line, line


def test_apps_that_are_not_registered_are_named_before_anything_else_and_counted(place):
    text = takeout(
        row("https://lighthouse.page.link/dead7"),
        row(f"https://{DOMAIN}/odd7", ibi=BUNDLE, isi="not-a-number"),
        *(row(f"https://{DOMAIN}/strange{number}", apn="com.example.gone") for number in range(3)),
        row(f"https://{DOMAIN}/strange8", ibi="com.example.lost", ipbi="com.example.lost"),
        row(f"https://{DOMAIN}/fine7", apn=PACKAGE),
    )
    lines = imported(place, text, more=["--partial"]).stdout.splitlines()
    assert lines[0] == "6 links imported, 0 here already, 1 row left out"
    assert lines[1].startswith(
        "warning: NOT_IN_PROJECT_ANDROID_PACKAGE_NAME: com.example.gone: 3 links, the first on line 4: "
    )
    assert "homing app add android" in lines[1]
    assert [line.split(":")[1].strip() for line in lines[2:4]] == [
        "NOT_IN_PROJECT_IOS_BUNDLE_ID",
        "NOT_IN_PROJECT_IPAD_BUNDLE_ID",
    ]
    assert "NOT_NUMERIC_IOS_APP_STORE_ID" in lines[4] and "dead7" in lines[5]
    told = json.loads(imported(place, text, more=["--json", "--partial"]).stdout)
    assert told["unchanged"] == 6 and told["leftOut"] == len(told["left"]) == 1
    assert told["warnings"][0] | {"message": ""} == {
        "code": "NOT_IN_PROJECT_ANDROID_PACKAGE_NAME", "app": "com.example.gone", "links": 3, "line": 4, "message": "",
    }, "a second time they are still not registered"  # fmt: skip


def test_rows_that_are_here_already_are_counted_and_not_listed(place):
    rows = [row(f"https://{DOMAIN}/again{number}", f"{PAYLOAD}&n={number}") for number in range(1500)]
    assert imported(place, takeout(*rows[:700])).stdout == "700 links imported, 0 here already, 0 rows left out\n"
    rows[3] = row(f"https://{DOMAIN}/again3", "https://good.example/elsewhere")
    done = imported(place, takeout(*rows, rows[1400]), expect=1)
    assert "1 row left out" in one_line(done) and "--partial" in done.stderr
    said = done.stdout
    assert said.splitlines()[0] == "800 links imported, 700 here already, 1 row left out"
    assert "line 5: https://links.takeout.example/again3: this ending exists already, leads elsewhere" in said
    assert len(said.splitlines()) == 2


def test_rows_that_are_left_out_for_the_same_reason_are_one_line(place):
    text = takeout(*(row(f"https://lighthouse.page.link/d{number}") for number in range(1203)))
    lines = imported(place, text, more=["--partial"]).stdout.splitlines()
    assert len(lines) == 2 and lines[0].endswith("1203 rows left out")
    assert lines[1].startswith("1203 rows: the host is Google's and stays dead: line 2 https://lighthouse.page.link/d0, ")
    assert lines[1].endswith(" and 1193 more")
    told = json.loads(imported(place, text, more=["--partial", "--json"]).stdout)
    assert len(told["left"]) == 1000 and told["reasons"][0]["rows"] == told["leftOut"] == 1203


def test_a_file_that_was_put_together_from_several_is_one(place):
    text = takeout(row(f"https://{DOMAIN}/first9")) + takeout(row(f"https://{DOMAIN}/second9"))
    assert imported(place, text).stdout.startswith("2 links imported")


@pytest.mark.parametrize("running", [True, False], ids=["through the socket", "on the file"])
def test_a_file_may_come_through_a_pipe(fresh, running):
    homing = fresh().start()
    place = LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    if not running:
        assert homing.stop() == 0
    text = takeout(*(row(f"https://{DOMAIN}/pipe{number}", f"{PAYLOAD}&n={number}") for number in range(9000)))
    assert len(text) > 1 << 20
    for given, count in ((text, 9000), (takeout(row(f"https://{DOMAIN}/pipe-short")), 1)):
        done = homing.command("link", "import", "moved", "/dev/stdin", given=given)
        links = "link" if count == 1 else "links"
        assert done.stdout == f"{count} {links} imported, 0 here already, 0 rows left out\n" and not done.stderr
    if not running:
        homing.start()
    assert resolve(place, "pipe8999").location == f"{PAYLOAD}&n=8999"


def peak(homing):
    """The most memory that the server ever had, in bytes."""
    text = pathlib.Path(f"/proc/{homing.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", text)[1]) * 1024


def many(path, size, notes=900):
    """A file of more than so many bytes; how many links are in it."""
    text = "x" * notes
    with path.open("w", newline="") as file:
        file.write(takeout(header=[*HEADER, "Notes"]))
        for number in itertools.count():
            if file.tell() > size:
                return number
            file.write(f"https://{DOMAIN}/m{number}x,{PAYLOAD}&n={number}{',' * 28}{text}\r\n")


def test_a_file_larger_than_memory_should_be_is_taken_and_the_server_stays_small(place):
    path = place.homing.folder / "large.csv"
    count = many(path, 66 << 20, notes=9000)
    imported(place, takeout(row(f"https://{DOMAIN}/warm1")))
    before = peak(place.homing)
    done = place.homing.command("link", "import", "moved", str(path))
    assert done.stdout.startswith(f"{count} links imported") and not done.stderr, "no word of progress off a terminal"
    assert peak(place.homing) - before < 32 << 20
    assert resolve(place, f"m{count - 1}x").location == f"{PAYLOAD}&n={count - 1}"
    path.unlink()


@pytest.mark.parametrize("running", [True, False], ids=["through the socket", "on the file"])
def test_a_terminal_shows_how_far_an_import_is_and_nothing_of_it_stays(fresh, running):
    homing = fresh().start()
    LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    if not running:
        assert homing.stop() == 0
    count = many(homing.folder / "some.csv", 3 << 20)
    terminal = Terminal(homing, "link", "import", "moved", "some.csv")
    screen = terminal.screen_at_end()
    assert terminal.status() == 0
    assert re.search(r"\rchecking  \d+ %  \[#*-*\]  \d+ rows  .* of 3 MB", screen), screen
    # A quick machine is done before the line is written a second time.
    assert re.search(r"\rimporting  \d+ %  \[#*-*\]  \d+ rows", screen), screen
    shown, said = screen.rsplit("\r", 1)
    assert said.startswith(f"{count} links imported, 0 here already, 0 rows left out\n")
    assert shown.rsplit("\r", 1)[1].strip() == "", "the line is blank before anything else is said"


@pytest.mark.release
def test_an_import_whose_terminal_goes_away_is_taken_up_again_and_leaves_no_file(fresh):
    homing = fresh().start()
    place = LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    count = many(homing.folder / "some.csv", 40 << 20)
    terminal = Terminal(homing, "link", "import", "moved", "some.csv")
    terminal.until("importing  ")
    os.killpg(terminal.process.pid, signal.SIGKILL)
    terminal.status()
    told = homing.told("link", "import", "moved", "some.csv")
    assert told["imported"] + told["unchanged"] == count and told["leftOut"] == 0 and told["imported"] > 0
    assert resolve(place, f"m{count - 1}x").location == f"{PAYLOAD}&n={count - 1}"
    names = {path.name for path in homing.folder.iterdir()}
    assert not [name for name in names if "input" in name or "tmp" in name.lower()], names
    held = [os.readlink(path) for path in pathlib.Path(f"/proc/{homing.pid}/fd").iterdir()]
    assert not [path for path in held if "some.csv" in path or "deleted" in path], held


def test_a_server_that_is_stopped_says_how_far_an_import_came(fresh):
    homing = fresh().start()
    LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    count = many(homing.folder / "some.csv", 40 << 20)
    terminal = Terminal(homing, "link", "import", "moved", "some.csv")
    terminal.until("importing  ")
    assert homing.stop() == 0
    said = terminal.screen_at_end().rsplit("\r", 1)[1]
    if terminal.status() == 1:
        assert re.fullmatch(r"some.csv was imported in part \(\d+ links; .*being stopped\): run this again.*\n", said), said
    told = homing.told("link", "import", "moved", "some.csv")
    assert told["imported"] + told["unchanged"] == count


def test_a_file_that_changes_meanwhile_is_named_and_can_be_imported_again(fresh):
    homing = fresh().start()
    LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    path = homing.folder / "some.csv"
    count = many(path, 40 << 20)
    size = path.stat().st_size
    terminal = Terminal(homing, "link", "import", "moved", "some.csv")
    terminal.until("importing  ")
    with path.open("a") as file:
        file.write('a"b\r\n')
    said = terminal.screen_at_end().rsplit("\r", 1)[1]
    assert terminal.status() == 1
    assert re.match(rf"some.csv was imported in part \(\d+ links; the file changed meanwhile, line {count + 2}: ", said), said
    os.truncate(path, size)
    told = homing.told("link", "import", "moved", "some.csv")
    assert told["imported"] + told["unchanged"] == count


@pytest.mark.release
def test_people_sign_up_while_links_move_in(fresh):
    homing = fresh().start()
    LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    project = homing.project()
    many(homing.folder / "some.csv", 40 << 20, notes=200)
    terminal = Terminal(homing, "link", "import", "moved", "some.csv")
    terminal.until("importing  ")
    project.sign_up()
    assert "links imported" not in terminal.screen and terminal.process.poll() is None, "it was not done before"
    assert "links imported" in terminal.screen_at_end()


def test_a_stopped_server_takes_links_in_too(fresh):
    homing = fresh().start()
    place = LinkPlace(homing, "moved", apps=False)
    homing.command("link-domain", "add", "moved", DOMAIN)
    assert homing.stop() == 0
    imported(
        place, takeout(*(row(f"https://{DOMAIN}/many{number}", f"{PAYLOAD}&n={number}") for number in range(3000)))
    )
    homing.start()
    for number in (0, 1, 999, 2999):
        assert resolve(place, f"many{number}").location == f"{PAYLOAD}&n={number}"


def test_an_imported_link_is_the_one_that_the_same_parameters_get_again(place):
    imported(place, takeout(row(f"https://{DOMAIN}/kept-code", "https://good.example/same", name="")))
    made = place.ask({"longDynamicLink": f"https://{DOMAIN}/?{query(link='https://good.example/same')}"})["shortLink"]
    assert click(place.homing, made, agents.WINDOWS).location == "https://good.example/same"

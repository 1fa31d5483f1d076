# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A person reads in their own language: the mail, the page, the way on; and what translators work with."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import requests
from translate.storage.po import pofile
from translate.storage.xliff2 import Xliff2File
from world.browser import PHONE, browser
from world.console import picture
from world.languages import FACTS, LANGUAGES, SCRIPTS, direction
from world.page import Page, submit
from world.places import ROOT
from world.project import new_address
from world.visit import get, made, with_parameter

ISOLATES = re.compile("[\u2066-\u2069]")


@pytest.fixture(scope="module")
def shop(homing):
    return homing.project("polyglot", domains=["good.example"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reset_speaks_the_persons_language_from_the_request_to_the_way_on(shop, sink, language):
    address = shop.sign_up(new_address("reader"))["email"]
    shop.send_reset(address, locale=language, continueUrl="https://good.example/cart?item=7")
    mail = sink.wait_for(address, "resetPassword")
    message = mail.message
    assert message.defects == [] and message["Content-Language"] == language
    way = f'lang="{language}" dir="{direction(language)}"'
    assert mail.html.count(way) == 2, "programs that drop the root keep the direction"
    subject = str(message["Subject"])
    assert "Lighthouse" in subject and "\ufffd" not in subject and not ISOLATES.search(subject)
    assert len(subject) <= 90, "an inbox shows it"
    assert address in ISOLATES.sub("", mail.text)
    link = mail.link("resetPassword")
    assert f"lang={language}" in link

    page = Page(get(link).text)
    assert page.language == language and f'<html {way}>' in page.text
    session = requests.Session()
    refused = Page(submit(session, link, page, newPassword="123").text)
    assert refused.language == language and "%" not in refused.said
    done = Page(submit(session, link, page, newPassword="the horse knows 7").text)
    assert done.language == language and "https://good.example/cart?item=7" in done.anchors
    assert shop.can_sign_in(address, "the horse knows 7")
    for said in (page.said, refused.said, done.said):
        assert "%" not in said, said


# The words of a page that stand on two lines, without those of its links.
BROKEN_WORDS = """
const broken = [], range = document.createRange()
const walker = document.createTreeWalker(document.querySelector('[role=main]'), NodeFilter.SHOW_TEXT)
for (let node; node = walker.nextNode();) {
    for (const word of node.data.matchAll(/\\p{L}+/gu)) {
        range.setStart(node, word.index)
        range.setEnd(node, word.index + word[0].length)
        const lines = new Set([...range.getClientRects()].map(each => Math.round(each.top)))
        if (lines.size > 1 && !node.parentElement.closest('a')) broken.push(word[0])
    }
}
return broken
"""


def test_a_korean_letter_breaks_its_lines_between_words(homing, shop, tmp_path):
    letter = tmp_path / "letter.html"
    letter.write_text(homing.told("template", "preview", "polyglot", "PASSWORD_RESET", "ko")["html"])
    with browser(size=PHONE) as page:
        page.get(letter.as_uri())
        assert "비밀번호" in page.find_element("tag name", "h1").text
        assert page.execute_script(BROKEN_WORDS) == []


def test_the_list_names_each_language_and_who_has_read_it(homing):
    told = homing.told("language", "list")
    assert len(told) >= 70 and {row["tag"] for row in told} == set(FACTS)
    for row in told:
        facts = FACTS[row["tag"]]
        assert (row["name"], row["review"], row["complete"]) == (facts["name"], facts["review"], facts["isComplete"])
        assert row["direction"] == direction(row["tag"])
    assert "machine" in homing.command("language", "list").stdout


@pytest.mark.parametrize(
    "asked, spoken",
    [
        ("zh-TW", "zh-Hant"), ("zh-CN", "zh-Hans"), ("zh_HK", "zh-HK"), ("sr-Latn-RS", "sr-Latn"), ("sr", "sr"), ("pt-PT", "pt-PT"),
        ("pt", "pt-BR"), ("es-MX", "es-419"), ("es-ES", "es"), ("iw", "he"), ("in", "id"), ("no", "nb"), ("tl", "fil"), ("fr-CA", "fr-CA"),
        ("DE_at", "de"), ("en-GB", "en"), ("tlh", "en"),
    ],
)  # fmt: skip
def test_a_tag_finds_the_words_that_its_readers_read(shop, sink, asked, spoken):
    address = shop.sign_up(new_address("tag"))["email"]
    shop.send_reset(address, locale=asked)
    mail = sink.wait_for(address, "resetPassword")
    assert mail.message["Content-Language"] == spoken
    assert Page(get(mail.link("resetPassword")).text).language == spoken


def test_a_page_offers_neighbours_and_a_list_and_the_choice_stays(shop):
    _, link, code = made(shop)
    page = Page(get(link, **{"Accept-Language": "de-CH, fr;q=0.8"}).text)
    assert page.language == "de"
    assert 3 <= len(page.anchors) <= 8, page.anchors
    assert {re.search(r"lang=([\w-]+)", href)[1] for href in page.anchors} == {"de", "fr", "en"}
    [whole] = [href for href in page.anchors if "languages=all" in href]
    base = link.split("/__/")[0]
    listed = Page(get(base + whole).text)
    assert listed.language == "de" and len(listed.anchors) == len(FACTS) and listed.forms == []
    [chosen] = [href for href in listed.anchors if href.endswith("lang=km")]
    assert code in chosen
    khmer = Page(get(base + chosen, **{"Accept-Language": "de"}).text)
    assert khmer.language == "km"
    answer = submit(requests.Session(), base + chosen, khmer, newPassword="12")
    assert Page(answer.text).language == "km", "the choice stays for the pages of the link"


def test_a_person_is_met_in_the_language_that_they_read(shop, sink):
    owner = shop.sign_up(new_address("met"))
    shop.send_reset(owner["email"], locale="fi")
    link = sink.wait_for(owner["email"], "resetPassword").link("resetPassword")
    assert submit(requests.Session(), link, Page(get(link).text), newPassword="luen suomea 9").status_code == 200
    notice = sink.wait_for(owner["email"], count=2)
    assert notice.message["Content-Language"] == "fi"
    # A back end changes the address, and names no language.
    shop.admin_ask(":update", {"localId": owner["localId"], "password": "the office has set 3"})
    assert shop.send_reset(owner["email"])["email"] == owner["email"]
    newest = sink.wait_for(owner["email"], "resetPassword", count=2)
    assert newest.message["Content-Language"] == "fi"
    assert "lang=" not in newest.link("resetPassword"), "a link names a language only where the request did"


def test_a_project_offers_some_languages_alone(homing, sink):
    project = homing.project(
        "few-tongues", settings={"notification.languages": "de, pt-BR", "notification.defaultLocale": "it"})
    for asked, spoken in (("de-AT", "de"), ("pt-PT", "pt-BR"), ("fr", "it"), ("it", "it")):
        address = project.sign_up(new_address("few"))["email"]
        project.send_reset(address, locale=asked)
        mail = sink.wait_for(address, "resetPassword")
        assert mail.message["Content-Language"] == spoken, asked
    page = Page(get(mail.link("resetPassword"), **{"Accept-Language": "fr"}).text)
    assert page.language == "it" and len(page.anchors) == 2, "all are named, and there is no list"
    refused = homing.command("project", "set", "few-tongues", "notification.languages", "de, klingon", expect=1)
    assert "tags of Homing's languages" in refused.stderr


def test_a_project_says_a_sentence_in_its_own_words(homing, sink):
    project = homing.project("own-words")
    said = "Das neue Passwort gilt ab jetzt"
    key = "pages.done.passwordReset.title"
    homing.command("text", "set", "own-words", "de", key, said)
    homing.command("text", "set", "own-words", "de", "letters.passwordReset.subject", "Neues Passwort bei %APP_NAME%")
    assert [row["key"] for row in homing.told("text", "list", "own-words")] == ["letters.passwordReset.subject", key]
    [subject, title] = homing.told("text", "diff", "own-words", "de")
    assert title["project"] == said and title["homing"] not in ("", said)
    everything = homing.told("text", "list", "own-words", "de", "--all")
    assert len(everything) > 300 and sum(row["own"] for row in everything) == 2
    for wrong, reason in ((("pages.done.nothing", "x"), "no sentence"), ((key, ""), "empty"), ((key, "%EMAIL%"), "%EMAIL%"),
                          (("pages.reset.sentence", "%LINK%"), "%APP_NAME%"), ((key, "a\nb"), "nobody can see")):  # fmt: skip
        assert reason in homing.command("text", "set", "own-words", "de", *wrong, expect=1).stderr
    for language, words in (("de", said), ("fr", None)):
        address = project.sign_up(new_address("own"))["email"]
        project.send_reset(address, locale=language)
        mail = sink.wait_for(address, "resetPassword")
        assert mail.subject.startswith("Neues Passwort bei Lighthouse") == (language == "de")
        link = mail.link("resetPassword")
        done = Page(submit(requests.Session(), link, Page(get(link).text), newPassword="eigene worte 5").text)
        assert (words is not None and words in done.headings) == (language == "de")
    # A template with a subject alone has the project's sentences below it.
    homing.command("text", "set", "own-words", "de", "letters.passwordReset.heading", "Hier geht es weiter")
    homing.command("template", "set", "own-words", "PASSWORD_RESET", "de", "--subject", "Kurz gesagt")
    address = project.sign_up(new_address("own"))["email"]
    project.send_reset(address, locale="de")
    mail = sink.wait_for(address, "resetPassword")
    assert mail.subject == "Kurz gesagt" and "Hier geht es weiter" in mail.text and "Hier geht es weiter" in mail.html
    homing.command("text", "reset", "own-words", "de", "letters.passwordReset.heading")
    homing.command("text", "reset", "own-words", "de", key)
    assert [row["key"] for row in homing.told("text", "list", "own-words")] == ["letters.passwordReset.subject"]
    homing.command("text", "reset", "own-words", "de")
    assert homing.told("text", "list", "own-words") == []


@pytest.mark.parametrize("language", tuple(FACTS) if os.environ.get("HOMING_EVERY_LANGUAGE") else SCRIPTS)
def test_a_page_in_each_script_fits_a_phone_and_reads_from_its_side(shop, language):
    _, link, _ = made(shop)
    with browser(size=(360, 740)) as page:
        page.get(with_parameter(link, "lang", language))
        assert page.execute_script("return getComputedStyle(document.body).direction") == direction(language)
        assert page.execute_script("return document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
        height, line = page.execute_script(
            "var b = document.querySelector('form [type=submit]'), s = getComputedStyle(b);"
            "return [b.clientHeight - parseFloat(s.paddingTop) - parseFloat(s.paddingBottom), parseFloat(s.lineHeight)]")
        assert height < 2.6 * line, "a button has two lines at most"
        eye, field = page.execute_script(
            "return ['#reveal', '#new-password'].map(s => document.querySelector(s).getBoundingClientRect().x)")
        assert (eye < field + 60) == (direction(language) == "rtl"), "the eye is at the end of the field"
        picture(page, f"language-{language}")


# --- translators' tools ---------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path):
    """The texts beside the script that looks after them, as a translator has them."""
    for path in ("scripts/texts", "scripts/spelling.py", "Sources/HomingTexts", "Sources/CHomingTexts",
                 "Sources/HomingAuthUI/Words"):  # fmt: skip
        source, target = ROOT / path, tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)

    def texts(*arguments, expect=0):
        done = subprocess.run(
            [sys.executable, tmp_path / "scripts/texts", *arguments], capture_output=True, text=True, timeout=120)
        assert done.returncode == expect, done.stdout + done.stderr
        return done.stdout

    texts.file = lambda tag: json.loads((tmp_path / f"Sources/HomingTexts/Texts/{tag}.json").read_text())
    texts.folder = tmp_path
    return texts


def test_every_file_of_texts_is_whole(desk):
    said = desk()
    assert said.count(": complete") == len(FACTS), said


@pytest.mark.parametrize("form", ["po", "xliff"])
def test_a_catalogue_goes_out_to_a_translators_tool_and_comes_back(desk, form):
    before = desk.file("pl")
    out = desk("export", "pl", "--to", form)
    catalogue = pofile.parsestring(out.encode()) if form == "po" else Xliff2File.parsestring(out.encode())
    units = {unit.getcontext() if form == "po" else unit.getid(): unit for unit in catalogue.units if unit.source}
    assert len(units) > 340, "each plural category of Polish is a unit of its own"
    title = units["pages.reset.title"]
    assert title.source == "Choose a new password" and title.target == before["pages"]["reset"]["title"]
    assert units["times.day.few"].target == before["times"]["day"]["few"]
    title.target = "Wybierz hasło na nowo"
    file = desk.folder / f"pl.{form}"
    file.write_bytes(bytes(catalogue))
    assert "1 texts changed" in desk("import", "pl", str(file))
    after = desk.file("pl")
    assert after["pages"]["reset"]["title"] == "Wybierz hasło na nowo"
    after["pages"]["reset"]["title"] = before["pages"]["reset"]["title"]
    assert after == before, "all else came back as it was"


def test_a_language_begins_as_one_file(desk):
    desk("--add", "lb", "Lëtzebuergesch")
    assert "lacks" in desk("--sort")
    assert '"../HomingTexts/Texts/lb.json"' in (desk.folder / "Sources/CHomingTexts/languages.h").read_text()
    file = desk.folder / "Sources/HomingTexts/Texts/lb.json"
    broken = json.loads(file.read_text())
    broken["pages"] = {"reset": {"title": "Nei %EMAIL%", "minimumLength": {"one": "x %COUNT%"}}}
    broken["language"]["isComplete"] = True
    file.write_text(json.dumps(broken))
    said = desk(expect=1)
    assert "its placeholders are not those of the English" in said and "glossary" in said


def test_a_word_that_its_dictionary_does_not_know_is_printed_with_its_sentence(desk, monkeypatch):
    folder = desk.folder / "dictionaries"
    folder.mkdir()
    (folder / "hi.aff").write_text("SET UTF-8\n")
    (folder / "hi.dic").write_text("3\nअपना\nनया\nचुनें\n")
    file = desk.folder / "Sources/HomingTexts/Texts/hi.json"
    misspelt = desk.file("hi")
    misspelt["pages"]["reset"]["title"] = "%EMAIL% के लिए अपना नया पासवरड चुनें"
    file.write_text(json.dumps(misspelt))
    monkeypatch.setenv("DICPATH", str(folder))
    said = desk("spelling", "hi").splitlines()
    assert "  पासवरड: pages.reset.title: %EMAIL% के लिए अपना नया पासवरड चुनें" in said, "no dictionary knows it"
    words = {line.split(":")[0].strip() for line in said[1:]}
    assert words.isdisjoint({"अपना", "नया", "चुनें"}), "the dictionary knows them, with their vowel signs"
    assert words.isdisjoint({"पासवर्ड", "EMAIL", "Homing"}), "a word of the glossary, a placeholder, a name"

    monkeypatch.setenv("PATH", "")
    desk("spelling", expect=2)

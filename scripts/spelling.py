# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The words that a dictionary of hunspell does not know: what `scripts/texts spelling` asks."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unicodedata

# In no dictionary, and the same in every language. An article or a suffix may hang on them: dall’App Store, Safariban.
NAMES = ("Android", "App Store", "Chrome", "Homing", "homing mail test", "iOS", "iPad", "iPhone", "Play Store", "Play", "QR",
         "Safari", "URL", "UTC", "WebView")  # fmt: skip
# Where a language has several dictionaries, and the usual one has neither its own name (ca) nor the name twice (de_DE).
USUAL = {"en": "en_US", "es-419": "es_MX", "fil": "tl", "sr": "sr_RS", "sv": "sv_SE", "sw": "sw_TZ"}
# No space stands between their words, and hunspell takes a sentence for one.
UNSPACED = ("ja", "km", "lo", "my", "th", "zh")
# Inside a word, beside letters and their marks: hyphens, apostrophes, a dot of Catalan, marks of Hebrew, joiners.
JOINTS = "-\u2010\u2011'’·׳״\u200c\u200d"
# Dictionaries have typewriter's marks.
TYPEWRITER = str.maketrans("\u2010\u2011’ʼʻ׳״", "--''''\"")
# Older characters of Indian scripts, in some dictionaries: one for a letter with a dot, which is two in the form C, and three for a
# consonant of Malayalam without its vowel.
OLDER = {unicodedata.normalize("NFC", c): c for c in map(chr, range(0x958, 0xB5E)) if unicodedata.normalize("NFC", c) != c}
OLDER |= {bare: f"{full}\u0d4d\u200d" for bare, full in zip("ൺൻർൽൾ", "ണനരലള", strict=True)}
# They stand on a vowel of an Armenian word and belong to the sentence.
TONES = str.maketrans("", "", "՛՜՞")


def words(text):
    """Those of a sentence, without placeholders, links, addresses, markup, digits and names."""
    bare = re.sub(r"%[A-Z_]+%|<[^>]*>|\w+://\S+|\S+@\S+", " ", text.translate(TONES))
    bare = re.sub(rf"(?:\w+[-’])?\b(?:{'|'.join(NAMES)})[^\s.,;!?()“”„»]*", " ", bare)
    parts = "".join(c if unicodedata.category(c)[0] in "LMN" or c in JOINTS else " " for c in bare).split()
    found = [part.strip(JOINTS) for part in parts]
    return [word for word in found if any(c.isalpha() for c in word) and not any(c.isdigit() for c in word)]


def spellings(word):
    """As a dictionary may have it."""
    plain = word.translate(TYPEWRITER)
    older = re.sub("|".join(OLDER), lambda found: OLDER[found[0]], plain)
    return {word, plain, older, re.sub("[\u200c\u200d]", "", plain)}


def pieces(word):
    """The parts of what is written in one, `l'` and `app`; else the word. A single letter is nothing to check."""
    return [part for part in re.findall(rf"[^{JOINTS}]+['’]?", word) if len(part.rstrip("'’")) > 1]


def unknown(dictionary, asked):
    """The words of which a dictionary has neither a spelling nor all pieces, in the order in which they were asked."""
    forms = {word: spellings(word) for word in asked}
    parts = {word: [spellings(part) | {part.rstrip("'’")} for part in pieces(word)] for word in asked}
    lines = set().union(*forms.values(), *(form for word in asked for form in parts[word]))
    strange = lines_not_in(dictionary, sorted(lines)) if lines else set()
    return [word for word in asked if forms[word] <= strange and any(part <= strange for part in parts[word])]


class NotRead(Exception):
    """Why no word of a language was looked up."""


def read_over(tag, asked, found):
    """The name of a language's dictionary, of those found, and the words that it does not know."""
    name = best(tag, found)
    if tag.split("-")[0] in UNSPACED:
        raise NotRead("no spaces between words")
    if name is None:
        raise NotRead("no dictionary")
    try:
        strange = unknown(found[name], asked)
    except subprocess.CalledProcessError:
        raise NotRead("a dictionary that hunspell cannot read") from None
    if strange and strange == [word for word in asked if pieces(word)]:
        raise NotRead("a dictionary that knows no word, as one in another script")
    return name, strange


# --- hunspell -------------------------------------------------------------------------------------------------------------


def is_there():
    return shutil.which("hunspell") is not None


def dictionaries():
    """Those that hunspell finds, by their names, such as pt_BR; a folder of DICPATH comes first."""
    done = subprocess.run(["hunspell", "-D"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    found = {}
    for line in (done.stdout + done.stderr).decode(errors="replace").splitlines():
        if line and all(pathlib.Path(f"{line}.{end}").is_file() for end in ("aff", "dic")):
            found.setdefault(pathlib.Path(line).name.replace("-", "_"), pathlib.Path(line))
    return found


def best(tag, names):
    """The name of a language's dictionary, never of one in another script: es-419 has es_MX, sr-Latn has sr_Latn_RS."""
    language, *rest = tag.split("-")

    def is_alike(name):
        scripts = [[part for part in parts if len(part) == 4] for parts in (rest, name.split("_")[1:])]
        return name == USUAL.get(tag) or (name.split("_")[0] == language and scripts[0] == scripts[1])

    wanted = (tag.replace("-", "_"), USUAL.get(tag), language, f"{language}_{language.upper()}")
    alike = [name for name in names if is_alike(name)]
    return min(alike, key=lambda name: (wanted.index(name) if name in wanted else len(wanted), name), default=None)


def whole(affixes, asked):
    """A dictionary's rules by which a line is a word: hunspell's own would break one of Hindi at its vowel signs."""
    marks = {c for word in asked for c in word}
    if not re.search(rb"^(?:\xef\xbb\xbf)?SET\s+UTF-8", affixes, re.MULTILINE):
        marks = {c for c in marks if c.isascii()}
    rest = re.sub(rb"^WORDCHARS\b.*$", b"", affixes, flags=re.MULTILINE)
    return rest.rstrip() + b"\nWORDCHARS " + "".join(sorted(marks)).encode() + b"\n"


def lines_not_in(dictionary, asked):
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder, "words")
        copy.with_suffix(".aff").write_bytes(whole(pathlib.Path(f"{dictionary}.aff").read_bytes(), asked))
        copy.with_suffix(".dic").symlink_to(pathlib.Path(f"{dictionary}.dic").resolve())
        command = ["hunspell", "-L", "-i", "UTF-8", "-d", str(copy)]
        lines = "".join(f"{word}\n" for word in asked).encode()
        done = subprocess.run(command, input=lines, capture_output=True, check=True)
    return set(done.stdout.decode(errors="replace").splitlines())

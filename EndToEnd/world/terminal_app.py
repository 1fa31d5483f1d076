# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The sample app of Samples/Newsletter, driven as a person drives it: by what it says and what is typed."""

import codecs
import importlib.util
import os
import re
import subprocess
import threading
import time

from .places import BINARY, ROOT

SAMPLE = ROOT / "Samples/Newsletter"
#: What every question ends with.
PROMPT = " > "


def build():
    """Builds the app beside the release; the second time takes a second."""
    scratch = BINARY.parent.parent / "newsletter"
    done = subprocess.run(
        [
            "bash",
            "-c",
            '. scripts/toolchain && exec swift build --package-path "$0" --scratch-path "$1"',
            str(SAMPLE),
            str(scratch),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"the sample does not build:\n{done.stdout[-3000:]}\n{done.stderr[-1000:]}"
    assert "warning:" not in done.stdout, done.stdout
    return scratch / "debug/newsletter"


def xcode_errors(program, folder):
    """What the compiler finds wrong in the files for Xcode, and in the views that they use. apple/ stands in for SwiftUI
    and UIKit, as declarations."""
    modules = program.parent / "Modules"
    compiler = ["bash", "-c", '. scripts/toolchain && exec swiftc "$@"', "swiftc", "-swift-version", "6"]
    compiler += ["-parse-as-library", "-I", str(folder), "-I", str(modules)]

    def emit(name, *sources):
        module = ["-emit-module", "-module-name", name, "-o", f"{folder}/{name}.swiftmodule"]
        subprocess.run([*compiler, *module, *sources], cwd=ROOT, check=True, timeout=300)

    for name in ("UIKit", "SwiftUI"):
        emit(name, f"EndToEnd/apple/{name}.swift")
    # As Package.swift has it compiled; on Linux the library itself has no views.
    features = re.findall(r'enableUpcomingFeature\("(\w+)"\)', (ROOT / "Package.swift").read_text())
    flags = [flag for feature in features for flag in ("-enable-upcoming-feature", feature)]
    views = [str(path) for path in sorted((ROOT / "Sources/HomingAuthUI").rglob("*.swift"))]
    # SwiftPM calls the package of a path by its folder.
    package = re.sub(r"\W", "_", ROOT.name.lower())
    emit("HomingAuthUI", "-package-name", package, "-warnings-as-errors", *flags, *views)
    sources = [str(path) for name in ("Shared", "Xcode") for path in sorted((SAMPLE / name).glob("*.swift"))]
    done = subprocess.run(
        [*compiler, "-typecheck", "-module-name", "Lighthouse", "-warnings-as-errors", *sources],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stderr if done.returncode else ""


def demo_site(homing, project):
    """The newsletter of `scripts/demo`, in front of this project; close it with `shutdown()`."""
    specification = importlib.util.spec_from_file_location("demo_newsletter", ROOT / "demo/newsletter.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    links = f"http://links.localhost:{homing.public.rpartition(':')[2]}"
    site = module.Newsletter(
        ("127.0.0.1", 0), homing.public, project.api_key, lambda: homing.told("mailbox")["link"], links
    )
    site.url = f"http://localhost:{site.server_address[1]}"
    threading.Thread(target=site.serve_forever, args=(0.1,), daemon=True).start()
    return site


class TerminalApp:
    """One run of the program. With `folder` again it is the same person's app, started again."""

    def __init__(self, program, site, folder, *arguments):
        self.said = ""
        self._arrived = threading.Condition()
        self._ended = False
        environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        self.process = subprocess.Popen(
            [str(program), "--site", site, "--folder", str(folder), *arguments],
            env=environment | {"LANG": "C.UTF-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        decoder = codecs.getincrementaldecoder("utf-8")()
        while chunk := self.process.stdout.read1(65_536):
            with self._arrived:
                self.said += decoder.decode(chunk)
                self._arrived.notify_all()
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()

    def wait(self, since=0, seconds=60):
        """What it says until it asks the next question."""
        until = time.monotonic() + seconds
        with self._arrived:
            while not self.said[since:].endswith(PROMPT):
                assert not self._ended, f"it ended with {self.process.wait(10)}:\n{self.said[-2000:]}"
                assert self._arrived.wait(until - time.monotonic()), f"no question comes:\n{self.said[-2000:]}"
            return self.said[since:]

    def type(self, *lines):
        """Answers one question after the other; what it says to the last answer, up to the next question."""
        self.wait()
        for line in lines:
            since = len(self.said)
            self.process.stdin.write(f"{line}\n".encode())
            self.process.stdin.flush()
            heard = self.wait(since)
        return heard

    def quit(self, word="quit"):
        """Ends it: with `quit`, or by the end of input when `word` is None. What it said last."""
        since = len(self.said)
        if word is not None:
            self.process.stdin.write(f"{word}\n".encode())
        self.process.stdin.close()
        assert self.process.wait(30) == 0, self.said[-2000:]
        with self._arrived:
            assert self._arrived.wait_for(lambda: self._ended, 10)
        return self.said[since:]

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)

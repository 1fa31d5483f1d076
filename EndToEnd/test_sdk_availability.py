# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The SDK is type-checked for the oldest Apple systems that it promises, without an Apple machine.

The toolchain's interface of the standard library says since when each declaration is there on every platform. Rebuilt
for an Apple target it makes the compiler look at availability as Xcode would. Foundation has no such interface on
Linux, and Combine is not there at all: apple/ stands in for both. To rebuild takes minutes: what came of it is kept in
.tools/apple, by the compiler and the interfaces.
"""

import hashlib
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from world.places import ROOT

pytestmark = pytest.mark.release

DECLARED = ROOT / "EndToEnd" / "apple"
# The interface that is there was made for this processor: an iPhone of the same one is a simulator.
PROCESSOR = platform.machine()
APPLE = {"aarch64": "arm64"}.get(PROCESSOR, PROCESSOR)
SYSTEMS = {"macOS 12": f"{APPLE}-apple-macosx12.0", "iOS 15": f"{APPLE}-apple-ios15.0-simulator"}
STANDARD = ("Swift", "_Concurrency", "_StringProcessing", "SwiftOnoneSupport")
SDK = ("HomingWire", "HomingClient", "HomingAuth", "HomingLinks", "HomingAuthUI")
FEATURES = re.findall(r'enableUpcomingFeature\("(\w+)"\)', (ROOT / "Package.swift").read_text())


class System:
    """The standard library, Foundation's declarations and what was checked so far, as modules of one platform."""

    def __init__(self, triple, folder):
        self.triple = triple
        self.folder = folder
        self.library = Path(shutil.which("swiftc")).resolve().parent.parent / "lib" / "swift"
        interfaces = self.interfaces(triple)
        compiler = subprocess.run(["swiftc", "--version"], capture_output=True, check=True).stdout
        name = hashlib.sha256(repr((compiler, sorted(interfaces.items()))).encode()).hexdigest()[:16]
        self.standard = ROOT / ".tools" / "apple" / name
        for place, text in interfaces.items():
            # One that was written anew would be rebuilt.
            if not (self.standard / place).exists():
                (self.standard / place).parent.mkdir(parents=True, exist_ok=True)
                (self.standard / place).write_text(text)
        for module in ("Foundation", "Combine"):
            assert self.check(module, [DECLARED / f"{module}.swift"]) == []

    def interfaces(self, triple):
        """The texts of the standard library's interfaces for a platform, by their places."""
        base = re.sub(r"(macos)x[\d.]*|(ios)[\d.]*", r"\1\2", triple)  # as files of that platform are named
        texts = {}
        for module in STANDARD:
            interfaces = (self.library / "linux" / f"{module}.swiftmodule").glob(f"{PROCESSOR}-*.swiftinterface")
            interface = min(path for path in interfaces if "private" not in path.name)
            text = re.sub(
                r"-target \S+", f"-disable-availability-checking -target {triple}", interface.read_text(), count=1
            )
            # Its bodies are not in the interface.
            text = re.sub(r"@backDeployed\(before:[^)]*\)\s*", "", text)
            texts[f"{module}.swiftmodule/{base}.swiftinterface"] = text
        return texts

    def check(self, module, sources):
        """The errors of a module; one without any can be imported afterwards."""
        command = [
            "swiftc", "-frontend", "-emit-module", "-o", self.folder / f"{module}.swiftmodule", "-module-name", module,
            "-parse-as-library", "-target", self.triple, "-disable-objc-interop", "-I", self.folder, "-I", self.standard,
            "-resource-dir", self.library, "-module-cache-path", self.standard / "cache", "-package-name", "homing",
            "-swift-version", "6",
        ]  # fmt: skip
        for feature in FEATURES:
            command += ["-enable-upcoming-feature", feature]
        ran = subprocess.run([*command, *sources], capture_output=True, text=True, timeout=600)
        errors = re.findall(r"^(?:/|<unknown>).*error: .*$", ran.stderr, re.MULTILINE)
        assert errors or ran.returncode == 0, ran.stderr[-2000:]
        return errors


@pytest.fixture(scope="module", params=SYSTEMS)
def system(request, tmp_path_factory):
    return System(SYSTEMS[request.param], tmp_path_factory.mktemp("apple"))


def test_what_is_too_new_is_found(system, tmp_path):
    source = tmp_path / "TooNew.swift"
    source.write_text(
        "func count(_ bytes: [UInt8]) -> Int { bytes.span.count }\n"
        "func wait() async throws { try await Task.sleep(for: .seconds(1)) }\n"
    )
    errors = system.check("TooNew", [source])
    assert any("'span' is only available in" in error for error in errors)
    assert any("'sleep(for:tolerance:clock:)' is only available in" in error for error in errors)


def test_the_sdk_uses_nothing_that_is_too_new(system):
    assert FEATURES
    # Stand-ins for the views: what they declare is what iOS 15 and macOS 12 have.
    for module in ("UIKit", "SwiftUI"):
        assert system.check(module, [DECLARED / f"{module}.swift"]) == []
    for module in SDK:
        sources = sorted((ROOT / "Sources" / module).rglob("*.swift"))
        sources = [source for source in sources if not any(part.endswith(".docc") for part in source.parts)]
        assert sources, module
        assert system.check(module, sources) == []

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Objective-C programs against HomingObjC: Swift's clang, GNUstep's Foundation, and the objects of the release."""

import functools
import json
import os
import pathlib
import re
import shutil
import subprocess

from .places import BINARY, ROOT

LAYER = ROOT / "Sources/HomingObjC"
PROGRAMS = ROOT / "EndToEnd/objective_c"
GNUSTEP = ROOT / ".tools/gnustep"
MODULES = ("HomingAuth", "HomingClient", "HomingLinks", "HomingWire")
WARNINGS = ("-Wall", "-Wextra", "-Werror")


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}"
    return done.stdout


@functools.cache
def toolchain():
    """The folder `usr/` of the Swift toolchain, also where `swiftc` is a shim that picks one."""
    assert shutil.which("swiftc"), "swiftc is not on the PATH: run scripts/test, or put it there"
    resources = json.loads(run("swiftc", "-print-target-info"))["paths"]["runtimeResourcePath"]
    return pathlib.Path(resources).parent.parent


def only(pattern):
    """The one thing in the unpacked GNUstep that a pattern matches."""
    found = sorted(GNUSTEP.glob(pattern))
    assert len(found) == 1, f"{pattern} matches {len(found)} things in {GNUSTEP}: scripts/install test"
    return found[0]


def gnustep_flags():
    """No ARC: GCC's Objective-C runtime, which is the one that Debian's GNUstep is built for, has none."""
    return [
        "-fobjc-runtime=gcc",
        "-fblocks",
        "-fexceptions",
        "-fconstant-string-class=NSConstantString",
        f"-I{PROGRAMS / 'gnustep'}",
        "-isystem",
        only("usr/include/GNUstep"),
        "-isystem",
        only("usr/lib/gcc/*/*/include"),
        f"-I{toolchain() / 'lib/swift/Block'}",
    ]


def compile_objects(sources, folder, *flags):
    """An object of each source."""
    objects = [folder / f"{source.stem}.o" for source in sources]
    for source, made in zip(sources, objects):
        run(toolchain() / "bin/clang", *flags, *WARNINGS, f"-I{LAYER / 'include'}", "-c", source, "-o", made)
    return objects


def module_objects(module):
    """The objects that the release build has made of a module, and none that an earlier build has left."""
    folder = BINARY.parent / f"{module}.build"
    assert folder.is_dir(), f"{folder} is not there: scripts/build"
    outputs = json.loads((folder / "output-file-map.json").read_text())
    objects = [folder / pathlib.Path(output["object"]).name for source, output in outputs.items() if source]
    assert objects, f"{folder} names no objects"
    return objects


@functools.cache
def layer(folder):
    """The objects of HomingObjC."""
    return compile_objects(sorted(LAYER.glob("*.m")), folder, *gnustep_flags())


def program(name, folder):
    """A program of EndToEnd/objective_c, compiled and linked."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [PROGRAMS / f"{name}.m", PROGRAMS / "MainQueue.m"]
    objects = [*layer(folder), *compile_objects(sources, folder, *gnustep_flags())]
    for module in MODULES:
        objects += module_objects(module)
    libraries = [
        # GNUstep has a runtime for blocks, too: the first one counts, and Dispatch needs this one.
        toolchain() / "lib/swift/linux/libBlocksRuntime.so",
        only("usr/lib/libgnustep-base.so.*.*.*"),
        only("usr/lib/*/libobjc.so.*.*.*"),
    ]
    paths = [word for library in libraries for word in ("-Xlinker", "-rpath", "-Xlinker", library.parent)]
    made = folder / name
    run(toolchain() / "bin/swiftc", *objects, *libraries, *paths, "-o", made)
    return made


def check_for_apple(target, folder):
    """Has the compiler check the layer as SwiftPM compiles it, with ARC and as a module, and an app that imports it.

    Apple's Foundation is not here: EndToEnd/objective_c/apple stands for as much of it as the layer uses.
    """
    header = LAYER / "include/HomingObjC/HomingObjC.h"
    folder.joinpath("module.modulemap").write_text(
        f'module HomingObjC {{\n    umbrella header "{header}"\n    export *\n}}\n'
    )
    flags = ["-target", target, "-fobjc-arc", "-fblocks", "-fsyntax-only", *WARNINGS]
    flags += ["-fmodules", f"-fmodules-cache-path={folder}", f"-I{PROGRAMS / 'apple'}"]
    for source in sorted(LAYER.glob("*.m")):
        run(toolchain() / "bin/clang", *flags, "-fmodule-name=HomingObjC", f"-I{LAYER / 'include'}", source)
    run(toolchain() / "bin/clang", *flags, f"-fmodule-map-file={folder}/module.modulemap", PROGRAMS / "apple/App.m")


def environment(home, **more):
    """A program's own home: its session, and what GNUstep keeps."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HOMING_", "XDG_"))}
    return kept | {"HOME": str(home)} | more


class Conversation:
    """A running program that makes one call for each line it is given."""

    def __init__(self, made, home):
        self.process = subprocess.Popen(
            [made], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment(home)
        )

    def __call__(self, call, **given):
        """What came back. Every completion has to run on the main thread."""
        self.process.stdin.write(json.dumps({"call": call} | given) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"{call} ended the program with {self.process.wait(10)}"
        told = json.loads(line)
        assert told.pop("isMainThread") is True, f"{call} was answered off the main thread"
        return told

    def done(self, call, **given):
        """The same for a call that must succeed."""
        told = self(call, **given)
        assert "error" not in told, f"{call}: {told['error']}"
        return told

    def refused(self, call, **given):
        """The error of a call that must fail."""
        told = self(call, **given)
        assert "error" in told, f"{call} succeeded"
        return told["error"]

    def end(self):
        self.process.stdin.close()
        return self.process.wait(30)


# A type of C as HomingC.h writes it, and the types of Swift that are the same.
TYPES = {
    "const char *": {"UnsafePointer<CChar>?"},
    "char *": {"UnsafeMutablePointer<CChar>?"},
    "const void *": {"UnsafeRawPointer", "UnsafeRawPointer?"},
    "void **": {"UnsafeMutablePointer<UnsafeMutableRawPointer?>"},
    "void *": {"UnsafeMutableRawPointer", "UnsafeMutableRawPointer?"},
    "bool": {"Bool"},
    "long": {"Int"},
    "double": {"Double"},
    "void": {""},
    "homing_answer": {"@escaping CAnswer"},
    "homing_listener": {"@escaping CListener"},
    "homing_end": {"@escaping CEnd"},
    "homing_send": {"CSend?"},
    "homing_store_read": {"CStoreRead?"},
    "homing_store_write": {"CStoreWrite?"},
}


def declared_functions():
    """What HomingC.h declares: each function's types, what it answers first."""
    text = re.sub(r"//.*|^#.*|^typedef[^;]*;", "", (LAYER / "HomingC.h").read_text(), flags=re.M)
    found = re.findall(r"([\w ]+?\*?)\s*\b(homing_\w+)\(([^()]*)\);", text)
    return {
        name: [answer.strip(), *(re.sub(r"(?<=[* ])\w+$", "", part.strip()).strip() for part in parts.split(","))]
        for answer, name, parts in found
    }


def exported_functions():
    """What the Swift modules export to C: each function's types, what it answers first."""
    text = "".join(path.read_text() for path in sorted((ROOT / "Sources").glob("*/ObjectiveC/*.swift")))
    found = re.findall(r'@_cdecl\("(homing_\w+)"\)\s*package func \w+\(([^()]*)\)(?: -> (\S+))?', text)
    return {
        name: [answer, *(part.partition(":")[2].strip() for part in parts.split(","))] for name, parts, answer in found
    }


def mismatches():
    """The functions that the two do not agree about."""
    declared, exported = declared_functions(), exported_functions()
    return {
        name: (declared.get(name), exported.get(name))
        for name in declared.keys() | exported.keys()
        if name not in declared
        or name not in exported
        or len(declared[name]) != len(exported[name])
        or any(swift not in TYPES[c] for c, swift in zip(declared[name], exported[name]))
    }

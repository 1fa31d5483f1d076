# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Two post offices that verify DKIM signatures each by their own code: OpenDKIM and rspamd, where they were unpacked."""

import os
import re
import signal
import subprocess

import requests

from .places import OPENDKIM, RSPAMD, free_port
from .waiting import until

RSPAMD_CONFIGURATION = """
options {{
  filters = "dkim";
  dns {{ nameserver = ["127.0.0.1:{names}"]; timeout = 2s; }}
  tempdir = "{folder}";
  hs_cache_dir = "{folder}";
  lua_path = "{share}/lualib/?.lua";
  # Its own list takes seconds to compile.
  url_tld = "{folder}/domains";
}}
logging {{ type = "console"; level = "warning"; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
dkim {{ }}
"""


def environment(folder, *below):
    """Those that were unpacked find their libraries in their own folder."""
    lib = folder / "usr/lib"
    paths = [*lib.glob("*-linux-gnu"), lib, *(lib / name for name in below)]
    return os.environ | {"LD_LIBRARY_PATH": ":".join(map(str, paths))}


class OpenDKIM:
    """Each letter is a run of its own: the program reads the records from a file, and verifies what is in another."""

    def __init__(self, folder):
        self.folder = folder

    def good(self, raw, zone):
        """The selectors of the signatures that hold, by the records of a zone."""
        keys, letter, configuration = (self.folder / name for name in ("keys", "letter", "opendkim.conf"))
        records = [(name, kinds["TXT"][0]) for name, kinds in zone.items() if "._domainkey." in name]
        keys.write_text("".join(f"{name} {value}\n" for name, value in records))
        letter.write_bytes(raw)
        configuration.write_text(f"Mode v\nAlwaysAddARHeader yes\nTestDNSData {keys}\n")
        said = subprocess.run(
            [str(OPENDKIM / "usr/sbin/opendkim"), "-x", str(configuration), "-t", str(letter), "-vv"],
            capture_output=True,
            text=True,
            env=environment(OPENDKIM),
            timeout=60,
        )
        assert "Authentication-Results" in said.stdout, said.stdout + said.stderr
        return set(re.findall(r"dkim=pass[^;]* header\.s=([^ ;']+)", said.stdout))


class Rspamd:
    """One that runs, and asks a name server for the records."""

    def __init__(self, folder, names):
        self.port = free_port()
        self.log = folder / "rspamd.log"
        share = RSPAMD / "usr/share/rspamd"
        (folder / "domains").write_text("test\nexample\n")
        configuration = folder / "rspamd.conf"
        places = {"names": names.port, "folder": folder, "share": share, "port": self.port}
        configuration.write_text(RSPAMD_CONFIGURATION.format(**places))
        variables = [f"--var=LUALIBDIR={share / 'lualib'}", f"--var=SHAREDIR={share}"]
        self.process = subprocess.Popen(
            # As whoever runs the tests, root or not.
            [str(RSPAMD / "usr/bin/rspamd"), "-f", "-i", "-c", str(configuration), *variables],
            env=environment(RSPAMD, "rspamd"),
            stdin=subprocess.DEVNULL,
            stdout=open(self.log, "ab"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def start(self):
        until(self.is_there, "rspamd listens", 30)
        return self

    def is_there(self):
        assert self.process.poll() is None, self.log.read_text(errors="replace")
        try:
            return requests.get(f"http://127.0.0.1:{self.port}/ping", timeout=5).ok
        except requests.ConnectionError:
            return False

    def good(self, raw, _):
        """The selectors of the signatures that hold, by what stands in the DNS."""
        answer = requests.post(f"http://127.0.0.1:{self.port}/checkv2", data=raw, timeout=30).json()
        found = answer["symbols"].get("R_DKIM_ALLOW", {}).get("options", [])
        return {option.partition(":s=")[2] for option in found}

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(20)

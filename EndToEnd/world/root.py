# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A machine of a test's own: root's places, a user `homing`, and a stand-in for systemd that starts the server."""

import json
import os
import pathlib
import shutil
import signal
import subprocess

from .places import BINARY

USER = 64123

# Starts the server as the unit does: as its user, with the two variables of the unit.
SYSTEMCTL = """#!/bin/bash
set -eu
echo "$*" >> {folder}/calls
server={folder}/server
start() {{
    [[ -e $server.pid ]] && kill -0 "$(cat $server.pid)" 2>/dev/null && return
    : > $server.out
    setpriv --reuid homing --regid homing --init-groups \\
        env -i PATH="$PATH" XDG_CONFIG_HOME=/etc XDG_DATA_HOME=/var/lib homing serve \\
        >> $server.out 2>> $server.log < /dev/null &
    echo $! > $server.pid
    for _ in $(seq 600); do
        grep -q ^ready $server.out && return
        kill -0 "$(cat $server.pid)" 2>/dev/null || break
        sleep 0.1
    done
    echo "Job for homing.service failed." >&2
    exit 1
}}
stop() {{
    [[ -e $server.pid ]] || return 0
    kill "$(cat $server.pid)" 2>/dev/null || true
    while kill -0 "$(cat $server.pid)" 2>/dev/null; do sleep 0.05; done
    rm $server.pid
}}
case $1 in
    is-active) [[ -e {folder}/active.$3 ]] ;;
    enable) shift 2; for unit; do touch {folder}/active.$unit; done; start ;;
    disable) rm -f {folder}/active.$2 ;;
    restart) stop; start ;;
    stop) shift; for unit; do rm -f {folder}/active.$unit; done; stop ;;
esac
"""


def can_make():
    return os.geteuid() == 0 and subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode == 0


class Machine:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.folder.chmod(0o755)
        etc, programs = self.folder / "etc", self.folder / "bin"
        subprocess.run(["cp", "-a", "/etc", etc], check=True)
        shutil.rmtree(etc / "homing", ignore_errors=True)
        (etc / "homing").mkdir()
        os.chown(etc / "homing", 0, USER)
        (etc / "homing").chmod(0o1770)
        entries = {"passwd": f"homing:x:{USER}:{USER}::/var/lib/homing:/usr/sbin/nologin", "group": f"homing:x:{USER}:"}
        for name, line in entries.items():
            with open(etc / name, "a") as file:
                file.write(line + "\n")
        units = etc / "systemd/system"
        units.mkdir(parents=True, exist_ok=True)
        (units / "homing.service").touch()
        programs.mkdir()
        (programs / "homing").touch()
        (programs / "systemctl").write_text(SYSTEMCTL.format(folder=self.folder))
        (programs / "systemctl").chmod(0o755)
        mounts = (
            f"mount --bind {etc} /etc && mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system"
            f" && mount -t tmpfs -o mode=755 tmpfs /var/lib && install -d -o {USER} -g {USER} -m 0700 /var/lib/homing"
            f" && mount --bind {BINARY} {programs}/homing && echo ready && exec sleep 3600"
        )
        self.holder = subprocess.Popen(["unshare", "-m", "sh", "-c", mounts], stdout=subprocess.PIPE, text=True)
        assert self.holder.stdout.readline().strip() == "ready"
        self.inside = ("nsenter", "-t", str(self.holder.pid), "-m")
        path = f"{programs}:{os.environ['PATH']}"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("HOMING_")}
        self.environment["PATH"] = path

    def start(self, *arguments, **more):
        """`homing ARGUMENTS`, as root."""
        return subprocess.Popen(
            [*self.inside, "homing", *arguments], env=self.environment, cwd=self.folder, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more,
        )

    def command(self, *arguments, expect=0):
        process = self.start(*arguments)
        out, errors = process.communicate(timeout=120)
        if expect is not None:
            assert process.returncode == expect, f"{process.returncode}\n{out}\n{errors}\n{self.log()}"
        return subprocess.CompletedProcess(arguments, process.returncode, out, errors)

    def told(self, *arguments):
        return json.loads(self.command(*arguments, "--json").stdout)

    def sh(self, line):
        return subprocess.run([*self.inside, "sh", "-c", line], capture_output=True, text=True, check=True).stdout

    def calls(self):
        """What systemctl was told since it was last asked here; questions are left out."""
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return [line for line in lines if not line.startswith("is-active")]

    def log(self):
        path = self.folder / "server.log"
        return path.read_text() if path.exists() else ""

    def remove(self):
        pid = self.folder / "server.pid"
        if pid.exists():
            try:
                os.kill(int(pid.read_text()), signal.SIGKILL)
            except (ProcessLookupError, ValueError):
                pass
        self.holder.kill()
        self.holder.wait(10)

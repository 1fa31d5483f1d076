# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A Debian 12 of a test's own, under its own systemd: a copy of `.tools/debian-12` in its own name spaces.

The network is that of the test, so that `scripts/test --package` runs all of them in a name space of its own."""

import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import tempfile

from .places import TOOLS
from .waiting import until

BASE = TOOLS / "debian-12"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

# In the name spaces: a root that is written to beside the base, the devices that systemd expects, and systemd.
BOOT = """
set -eu
mount --make-rprivate /
mkdir -p $folder/written $folder/work $folder/root
mount -t overlay overlay -o lowerdir=$base,upperdir=$folder/written,workdir=$folder/work $folder/root
root=$folder/root
mount -t proc proc $root/proc
mount --bind $root/proc/sys $root/proc/sys && mount -o remount,bind,ro $root/proc/sys
mount -t sysfs -o ro sysfs $root/sys
mount -t cgroup2 cgroup2 $root/sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs $root/run
mount -t tmpfs tmpfs $root/tmp
mount -t tmpfs -o mode=755 tmpfs $root/dev
for device in null zero full random urandom tty; do
    touch $root/dev/$device
    mount --bind /dev/$device $root/dev/$device
done
ln -s /proc/self/fd $root/dev/fd
ln -s pts/ptmx $root/dev/ptmx
mkdir $root/dev/pts $root/dev/shm $root/from-outside
mount -t devpts -o newinstance,ptmxmode=0666 devpts $root/dev/pts
mount --bind $folder/outside $root/from-outside
cd $root
mkdir -p .outside
pivot_root . .outside
umount -l /.outside
exec env -i container=homing PATH=$PATH /lib/systemd/systemd --system --unit=multi-user.target
"""


class Machine:
    """What a project of the tests needs to know of a server is here, too: `public`, `admin`, `keep_secret`."""

    public = "http://127.0.0.1:9099"
    admin = "http://127.0.0.1:9098"

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="homing-machine-"))
        (self.folder / "outside").mkdir()
        self.starter, self.init, self.cgroup = None, None, None

    def keep_secret(self, *secrets):
        pass

    @property
    def root(self):
        """The machine's files, seen from outside."""
        return pathlib.Path(f"/proc/{self.init}/root")

    def start(self):
        self.cgroup = self._own_cgroup()
        environment = {"PATH": PATH, "folder": str(self.folder), "base": str(BASE)}
        enter = f'echo $$ >{self.cgroup}/cgroup.procs; exec unshare -m -p -u -i -C -f --kill-child bash -c "$BOOT"'
        self.starter = subprocess.Popen(
            ["bash", "-c", enter],
            env=environment | {"BOOT": BOOT},
            stdin=subprocess.DEVNULL,
            stdout=open(self.folder / "boot.log", "wb"),
            stderr=subprocess.STDOUT,
        )
        children = pathlib.Path(f"/proc/{self.starter.pid}/task/{self.starter.pid}/children")
        until(lambda: children.read_text().strip(), "the machine has a first process")
        self.init = int(children.read_text())
        until(self._is_up, f"systemd is up: {(self.folder / 'boot.log').read_text()}", 60)
        return self

    def _is_up(self):
        assert self.starter.poll() is None, (self.folder / "boot.log").read_text()
        if b"systemd" not in pathlib.Path(f"/proc/{self.init}/cmdline").read_bytes():
            return False
        return self.run("systemctl", "is-system-running", expect=None).stdout.strip() in ("running", "degraded")

    @staticmethod
    def _own_cgroup():
        """A branch of the tree of control groups that this machine's systemd may fill."""
        where = subprocess.run(
            ["findmnt", "-nt", "cgroup2", "-o", "TARGET"], capture_output=True, text=True, check=True
        )
        branch = pathlib.Path(where.stdout.split()[0]) / f"homing-machine-{secrets.token_hex(4)}"
        branch.mkdir()
        return branch

    def stop(self):
        if self.init:
            # With the first process all others end.
            try:
                os.kill(self.init, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.starter.wait(30)
            self.init = None
        if self.cgroup:
            for branch in sorted(self.cgroup.glob("**/"), reverse=True):
                until(lambda branch=branch: self._removed(branch), f"{branch} is empty", 10)
            self.cgroup = None
        shutil.rmtree(self.folder, ignore_errors=True)

    @staticmethod
    def _removed(branch):
        try:
            branch.rmdir()
        except OSError:
            return not branch.exists()
        return True

    def _inside(self, command, environment):
        words = [f"{name}={value}" for name, value in (environment or {}).items()]
        return [
            *("nsenter", "-t", str(self.init), "-m", "-p", "-u", "-i", "-C", "-r", "-w"),
            *("env", "-i", f"PATH={PATH}", "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C.UTF-8", *words, *command),
        ]

    def run(self, *command, expect=0, environment=None, timeout=300, text=None):
        done = subprocess.run(
            self._inside(command, environment),
            capture_output=True,
            text=True,
            timeout=timeout,
            input=text,
            stdin=None if text is not None else subprocess.DEVNULL,
        )
        told = f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}"
        assert expect is None or done.returncode == expect, told
        return done

    def shell(self, script, **more):
        return self.run("bash", "-euc", script, **more)

    def told(self, *arguments):
        """The JSON that a command of `homing` prints."""
        return json.loads(self.run("homing", *arguments, "--json").stdout)

    # --- packages ---------------------------------------------------------------------------------------------------

    def bring(self, package):
        """A file from outside; its path in the machine."""
        shutil.copy(package, self.folder / "outside")
        return f"/from-outside/{pathlib.Path(package).name}"

    def install(self, package, expect=0, **more):
        return self.run(
            *("apt-get", "-q", "-y", "--no-install-recommends", "--allow-downgrades", "install", self.bring(package)),
            expect=expect,
            **more,
        )

    def begin_install(self, package):
        """An installation that goes on while the test does, in a scope of systemd's, `begun.scope`."""
        return subprocess.Popen(
            self._inside(
                (
                    *("systemd-run", "--quiet", "--scope", "--unit=begun"),
                    *("apt-get", "-q", "-y", "--no-install-recommends", "install", self.bring(package)),
                ),
                None,
            ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def set_up(self, relay):
        """The settings that an operator writes, and the service."""
        self.write("/etc/homing/homing.yaml", f"smtp:\n  url: {relay}\nmail:\n  from: Shop <noreply@shop.example>\n")
        self.run("systemctl", "enable", "--now", "homing.socket", "homing")

    def write(self, path, text):
        self.run("tee", path, text=text)

    def read(self, path):
        return self.run("cat", path).stdout

    def is_there(self, path):
        return self.run("test", "-e", path, expect=None).returncode == 0

    def mode(self, path):
        """Owner, group and mode, as `ls` of an operator would show them."""
        return self.run("stat", "-c", "%U:%G %a", path).stdout.strip()

    @property
    def version(self):
        """The version that serves."""
        return self.run("homing", "version").stdout.split()[1]

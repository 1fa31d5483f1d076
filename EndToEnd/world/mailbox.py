# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A real Dovecot with one person's mailbox, which IMAP and POP3 read."""

import itertools
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

from .places import DOVECOT, free_port
from .waiting import until

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
libexec_dir = {lib}
mail_plugin_dir = {lib}/modules
log_path = {folder}/dovecot.log
import_environment = LD_LIBRARY_PATH={libraries}
protocols = imap pop3
ssl = no
disable_plaintext_auth = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = uucp
auth_mechanisms = plain login
auth_failure_delay = 0
mail_location = maildir:{folder}/mail
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home={folder}/home
}}
namespace inbox {{
  inbox = yes
  mailbox Unwanted {{
    auto = create
    special_use = \\Junk
  }}
}}
service imap-login {{
  inet_listener imap {{
    address = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service pop3-login {{
  inet_listener pop3 {{
    address = 127.0.0.1
    port = {pop3}
  }}
  inet_listener pop3s {{
    port = 0
  }}
}}
"""


class Mailbox:
    """Anybody's who knows the password. Starting it needs root."""

    def __init__(self, password="only-the-mailbox-knows"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mailbox-"))
        self.password = password
        self.ports = {"imap": free_port(), "pop3": free_port()}
        self.numbers = itertools.count(1)
        self.process = None

    def start(self):
        assert os.geteuid() == 0, "Dovecot's parts change users, so only root can start it: run the tests as root"
        os.chmod(self.folder, 0o755)
        for name in ("mail", "home"):
            (self.folder / name).mkdir()
            shutil.chown(self.folder / name, "nobody", "nogroup")
        lib = DOVECOT / "usr/lib/dovecot"
        libraries = ":".join(map(str, (lib, lib / "modules/old-stats", DOVECOT / "usr/lib/x86_64-linux-gnu")))
        configuration = self.folder / "dovecot.conf"
        places = {"folder": self.folder, "lib": lib, "libraries": libraries, "password": self.password}
        configuration.write_text(CONFIGURATION.format(**places, **self.ports))
        master = DOVECOT / "usr/sbin/dovecot"
        # Dovecot looks for its reader of configurations where it would be installed, unless that started it.
        reader = [str(DOVECOT / "usr/bin/doveconf"), "-f", "service=master", "-c", str(configuration), "-m", "master"]
        # Its logins read modules from where it would be installed, whatever is configured: to them it is.
        there = f'mount -t overlay overlay -o lowerdir={DOVECOT}/usr/lib:/usr/lib /usr/lib && exec "$@"'
        self.process = subprocess.Popen(
            ["unshare", "--mount", "sh", "-c", there, "sh", *reader, "-e", str(master), "-F", "-c", str(configuration)],
            env=os.environ | {"LD_LIBRARY_PATH": libraries},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "start.log", "ab"),
            start_new_session=True,
        )
        until(self.answers, "Dovecot answers", 30)
        return self

    def answers(self):
        assert self.process.poll() is None, self.log()
        try:
            for port in self.ports.values():
                socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False

    def log(self):
        paths = [self.folder / "start.log", self.folder / "dovecot.log"]
        return "\n".join(path.read_text(errors="replace") for path in paths if path.exists())

    def deliver(self, letter, folder=None):
        """Puts a letter, as bytes, into the inbox or into a folder, as a mail server does with a maildir."""
        place = self.folder / "mail" / (f".{folder}" if folder else "")
        for name in ("tmp", "new", "cur"):
            (place / name).mkdir(parents=True, exist_ok=True)
        path = place / "tmp" / f"{next(self.numbers)}.test"
        path.write_bytes(letter)
        for changed in (place, place / "tmp", place / "new", place / "cur", path):
            shutil.chown(changed, "nobody", "nogroup")
        path.rename(place / "new" / path.name)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

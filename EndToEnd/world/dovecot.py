# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A real Dovecot, run from the folder that it was unpacked into, of which a Postfix asks whether a token is good."""

import os
import pathlib
import shutil
import subprocess
import tempfile

from .places import DOVECOT
from .waiting import until

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/state
libexec_dir = {lib}
log_path = {folder}/dovecot.log
import_environment = LD_LIBRARY_PATH={libraries}
protocols =
ssl = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = uucp
auth_mechanisms = xoauth2 oauthbearer
# The tests are not to wait for it; a relay should have it.
auth_failure_delay = 0
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
userdb {{
  driver = static
  args = uid=nobody gid=nogroup home=/nonexistent
}}
service auth {{
  user = root
  unix_listener {socket} {{
    mode = 0666
  }}
}}
"""

OAUTH2 = """
introspection_mode = post
introspection_url = {url}/introspect
force_introspection = yes
username_attribute = username
active_attribute = active
active_value = true
"""


class Dovecot:
    """Dovecot's authentication alone, at a socket of its folder. Starting it needs root."""

    def __init__(self, endpoint_url):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dovecot-"))
        self.socket = self.folder / "auth"
        self.endpoint_url = endpoint_url
        self.process = None

    def start(self):
        assert os.geteuid() == 0, "Dovecot's parts change users, so only root can start it: run the tests as root"
        os.chmod(self.folder, 0o755)
        lib = DOVECOT / "usr/lib/dovecot"
        libraries = ":".join(map(str, (lib, lib / "modules/old-stats", DOVECOT / "usr/lib/x86_64-linux-gnu")))
        configuration = self.folder / "dovecot.conf"
        places = {"folder": self.folder, "lib": lib, "libraries": libraries, "socket": self.socket}
        configuration.write_text(CONFIGURATION.format(**places))
        (self.folder / "oauth2.conf").write_text(OAUTH2.format(url=self.endpoint_url))
        master = DOVECOT / "usr/sbin/dovecot"
        # Dovecot looks for its reader of configurations where it would be installed, unless that started it.
        reader = [str(DOVECOT / "usr/bin/doveconf"), "-f", "service=master", "-c", str(configuration), "-m", "master"]
        self.process = subprocess.Popen(
            [*reader, "-e", str(master), "-F", "-c", str(configuration)],
            env=os.environ | {"LD_LIBRARY_PATH": libraries},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "start.log", "ab"),
            start_new_session=True,
        )
        until(self.is_there, "Dovecot makes its socket", 30)
        return self

    def is_there(self):
        assert self.process.poll() is None, self.log()
        return self.socket.exists()

    def log(self):
        paths = [self.folder / "start.log", self.folder / "dovecot.log"]
        return "\n".join(path.read_text(errors="replace") for path in paths if path.exists())

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A real Postfix, run from the folder that it was unpacked into, that relays everything to a sink."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile

from .places import POSTFIX, free_port, postfix_environment
from .waiting import until

MASTER = """
{smtpd} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
tlsmgr unix - - n 1000? 1 tlsmgr
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
{pipe}
"""

MAIN = """
compatibility_level = 3.6
daemon_directory = {lib}/sbin
command_directory = {root}/usr/sbin
shlib_directory = {lib}
meta_directory = {etc}
config_directory = {etc}
queue_directory = {spool}
data_directory = {data}
mail_owner = uucp
setgid_group = games
default_privs = nobody
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C LD_LIBRARY_PATH={lib}
export_environment = TZ MAIL_CONFIG LANG LD_LIBRARY_PATH
maillog_file = {spool}/mail.log
maillog_file_prefixes = {spool}
myhostname = relay.test
mydestination =
alias_maps =
alias_database =
local_recipient_maps =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtp_dns_support_level = disabled
smtp_host_lookup = native
relayhost = [127.0.0.1]:{next}
smtpd_relay_restrictions = {relay_for}, reject
smtpd_client_connection_count_limit = 0
smtpd_forbid_bare_newline = yes
{tls}
{sasl}
{bounces}
"""

TLS = """
smtpd_tls_security_level = may
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {key}
smtpd_tls_received_header = yes
"""

SASL = """
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {socket}
smtpd_tls_auth_only = yes
"""

BOUNCES = """
recipient_delimiter = +
transport_maps = inline:{{ {address}=bounces: }}
bounces_destination_recipient_limit = 1
"""


class Postfix:
    """Postfix's master and its daemons on a port of their own. Starting one needs root: its parts change users."""

    def __init__(self, next_port, certificate=None, key=None, bounces=None, pipe=None, sasl=None):
        """With `bounces`, what is for that address is given to the command that `pipe` describes (pipe(8)). With
        `sasl`, the socket of a Dovecot, it relays only for who signs in there."""
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="postfix-"))
        self.port = free_port()
        self.next_port = next_port
        self.tls = TLS.format(certificate=certificate, key=key) if certificate else ""
        self.bounces = BOUNCES.format(address=bounces) if bounces else ""
        self.pipe = f"bounces unix - n n - 2 pipe\n  {pipe}" if pipe else ""
        self.sasl = SASL.format(socket=sasl) if sasl else ""
        self.relay_for = "permit_sasl_authenticated" if sasl else "permit_mynetworks"
        self.process = None

    def start(self):
        assert os.geteuid() == 0, "Postfix's parts change users, so only root can start it: run the tests as root"
        os.chmod(self.folder, 0o755)
        etc, spool, data = (self.folder / name for name in ("etc", "spool", "data"))
        for folder in (etc, spool, data):
            folder.mkdir()
        values = {"root": POSTFIX, "lib": POSTFIX / "usr/lib/postfix", "etc": etc, "spool": spool, "data": data}
        given = {"next": self.next_port, "tls": self.tls, "bounces": self.bounces, "sasl": self.sasl}
        (etc / "main.cf").write_text(MAIN.format(**values, **given, relay_for=self.relay_for))
        (etc / "master.cf").write_text(MASTER.format(smtpd=f"127.0.0.1:{self.port}", pipe=self.pipe))
        shutil.copy(POSTFIX / "usr/share/postfix/dynamicmaps.cf", etc / "dynamicmaps.cf")
        shutil.chown(data, "uucp")
        for name in (
            "active",
            "bounce",
            "corrupt",
            "defer",
            "deferred",
            "flush",
            "hold",
            "incoming",
            "private",
            "saved",
            "trace",
        ):
            (spool / name).mkdir(mode=0o700)
            shutil.chown(spool / name, "uucp")
        (spool / "pid").mkdir()
        for name, mode in (("maildrop", 0o730), ("public", 0o710)):
            (spool / name).mkdir()
            shutil.chown(spool / name, "uucp", "games")
            os.chmod(spool / name, mode)
        self.process = subprocess.Popen(
            [str(POSTFIX / "usr/lib/postfix/sbin/master"), "-d", "-c", str(etc)],
            env=postfix_environment(),
            cwd=spool,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=open(self.folder / "master.log", "ab"),
            start_new_session=True,
        )
        until(self.answers, "Postfix greets", 30)
        return self

    def answers(self):
        assert self.process.poll() is None, self.log()
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.settimeout(5)
                return connection.recv(200).startswith(b"220 relay.test")
        except OSError:
            return False

    def drop_connections(self):
        """Ends the daemons that speak with clients; the next client gets a new one."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        speaking = [pid for pid in children if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "smtpd"]
        for pid in speaking:
            os.kill(int(pid), signal.SIGTERM)
        gone = [pathlib.Path(f"/proc/{pid}") for pid in speaking]
        until(lambda: not any(path.exists() for path in gone), "its daemons have ended", 10)

    def log(self):
        paths = [self.folder / "master.log", self.folder / "spool/mail.log"]
        return "\n".join(path.read_text(errors="replace") for path in paths if path.exists())

    @property
    def url(self):
        return f"smtp://127.0.0.1:{self.port}"

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)
        shutil.rmtree(self.folder, ignore_errors=True)

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A relay on the way to a post office. It changes each letter as the recipient's name says, and the post office writes
down, on top of what arrives, from whom it has it and whether the signature still holds."""

import email
import email.policy
import email.utils
import re
import socketserver
import threading

CRLF = email.policy.SMTP
LINK = re.compile(r"""https?://[^\s"<>]+/__/auth/[^\s"<>]+""")
RELAY, OFFICE = "out.relay.example", "mx.office.example"


def parts(message):
    return {kind: message.get_body((kind,)) for kind in ("plain", "html")}


def rewritten(message, plain=None, html=None, **encoded):
    """The same letter with other words in it; `cte` is how they are encoded."""
    for kind, change in (("plain", plain), ("html", html)):
        part = parts(message)[kind]
        if part is not None and (change or encoded):
            text = part.get_content()
            more = {"cte": "quoted-printable"} | encoded
            part.set_content(change(text) if change else text, subtype=kind, charset="utf-8", **more)
    return message


def links(url):
    """Each link leads to `url` now, as with click tracking."""

    def change(text):
        return LINK.sub(lambda _: url, text)

    return lambda message: rewritten(message, change, change)


def html(addition):
    return lambda message: rewritten(message, None, lambda text: text.replace("</body>", f"{addition}</body>"))


def without(kind):
    """One of the two forms is dropped."""

    def change(message):
        alternative = next(part for part in message.walk() if part.get_content_type() == "multipart/alternative")
        kept = [part for part in alternative.get_payload() if part.get_content_subtype() != kind]
        alternative.set_payload(kept)
        return message

    return change


def field(name, change):
    def changed(message):
        value = change(str(message[name] or ""))
        del message[name]
        message[name] = value
        return message

    return changed


def banner(message):
    return rewritten(
        message,
        lambda text: f"External mail: take care\n\n{text}",
        lambda text: re.sub(r"(<body[^>]*>)", r"\1<div>External mail: take care</div>", text),
    )


def folded(text):
    """Long lines cut where they are full, as by a relay from the time of paper tape."""
    return "\n".join(line[start : start + 72] for line in text.split("\n") for start in range(0, max(len(line), 1), 72))


def ascii_only(text):
    return re.sub(r"[^\x00-\x7f]", "?", text)


def on_bytes(change):
    change.takes_bytes = True
    return change


def latin(raw):
    return re.sub(rb"(?i)charset=\"?utf-8\"?", b"charset=iso-8859-1", raw)


def soft_breaks_lost(raw):
    head, blank, body = raw.partition(b"\r\n\r\n")
    # The delimiters of the parts stay.
    return head + blank + re.sub(rb"(?<!_)=\r\n", b"\r\n", body)


#: What each does: to the parsed letter, or to its bytes.
MANGLINGS = {
    "sendgrid": links("https://u123.ct.sendgrid.net/ls/click?upn=u001.abc"),
    "tracker": links("https://links.relay.example/x/abc"),
    "scanner": links("https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fauth.example&data=05"),
    "cut": lambda message: rewritten(message, *[lambda text: LINK.sub(lambda link: link[0][:-20], text)] * 2),
    "folded": lambda message: rewritten(message, folded),
    "textfooter": lambda message: rewritten(message, lambda text: f"{text}\nSent by Relay Inc.\n"),
    "htmlfooter": html("<p>Sent by <b>Relay</b> Inc.</p>"),
    "banner": banner,
    "advertisement": html('<a href="https://relay.example/buy">Buy</a>'),
    "pixel": html('<img src="https://metrics.relay.example/a.gif" width="1" height="1">'),
    "unsubscribe": field("List-Unsubscribe", lambda _: "<https://relay.example/u/1>"),
    "nohtml": without("html"),
    "notext": without("plain"),
    "subject": field("Subject", lambda subject: f"[SPAM?] {subject}"),
    "charset": on_bytes(latin),
    "questionmarks": lambda message: rewritten(message, ascii_only, ascii_only),
    "softbreaks": on_bytes(soft_breaks_lost),
    "halfdecoded": on_bytes(lambda raw: raw.replace(b"=3D", b"=")),
    "cutoff": lambda message: rewritten(message, lambda text: text[: len(text) // 2]),
    "spam": field("X-Spam-Flag", lambda _: "YES"),
    # What a relay may do, and many do.
    "asitis": on_bytes(lambda raw: raw),
    "linefeeds": on_bytes(lambda raw: raw.replace(b"\r\n", b"\n")),
    "spaces": on_bytes(lambda raw: re.sub(rb"(?<=[>.])\r\n", b" \r\n", raw)),
    "base64": lambda message: rewritten(message, cte="base64"),
    "printable": lambda message: rewritten(message, cte="quoted-printable"),
}


class ManglingRelay:
    def __init__(self, judge):
        #: What says which signatures hold.
        self.judge = judge
        #: recipient -> the letter as the post office has it.
        self.letters = {}
        # Connections are several, and the judge writes into files.
        self.lock = threading.Lock()
        relay = self

        class Dialogue(socketserver.StreamRequestHandler):
            timeout = 30

            def say(self, line):
                self.wfile.write(f"{line}\r\n".encode())

            def handle(self):
                self.say(f"220 {RELAY} ESMTP")
                recipient = ""
                for line in self.rfile:
                    verb, _, rest = line.decode().strip().partition(" ")
                    if verb.upper() == "RCPT":
                        recipient = rest.partition("<")[2].partition(">")[0]
                    if verb.upper() == "QUIT":
                        return self.say("221 bye")
                    if verb.upper() == "DATA":
                        self.say("354 go on")
                        letter = self.data()
                        with relay.lock:
                            relay.take(recipient, letter)
                    self.say("250 fine")

            def data(self):
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line[1:] if line.startswith(b".") else line)
                return b"".join(lines)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self.server = Server(("127.0.0.1", 0), Dialogue)
        self.url = f"smtp://127.0.0.1:{self.server.server_address[1]}"

    def take(self, recipient, raw):
        mangling = MANGLINGS[recipient.partition("@")[0]]
        if getattr(mangling, "takes_bytes", False):
            mangled = mangling(raw)
        else:
            # Other encodings and line ends than the sender's, as of any program that takes a letter apart.
            mangled = mangling(email.message_from_bytes(raw, policy=CRLF)).as_bytes()
        domain = email.utils.parseaddr(str(email.message_from_bytes(raw)["From"]))[1].partition("@")[2]
        verdict = "pass" if self.judge(mangled) else "fail"
        now = email.utils.format_datetime(email.utils.localtime())
        trace = (
            f"Authentication-Results: {OFFICE}; dkim={verdict} header.d={domain};\n"
            f" spf=pass smtp.mailfrom=noreply@{domain}; dmarc=pass header.from={domain}\n"
            f"Received: from {RELAY} ({RELAY} [203.0.113.7])\n"
            f" by {OFFICE} (Postfix) with ESMTPS id 4B5C; {now}\n"
        )
        self.letters[recipient] = trace.encode() + mangled

    def start(self):
        threading.Thread(target=self.server.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

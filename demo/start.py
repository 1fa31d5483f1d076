# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The demo: a server, a project, a newsletter; then a walk for a newcomer, or the same walk without a person."""

import argparse
import pathlib
import signal
import sys
import time

import newsletter
import walk
from server import OPERATOR, DemoFailed, Server, folder_of_its_own, port_for

ROOT = pathlib.Path(__file__).resolve().parent.parent
READER = "reader@example.com"
PASSWORD = "lighthouse"


def prepare(server):
    """The demo project, one reader, and an owner of the server; gives the API key."""
    server.command(
        "project",
        "create",
        "demo",
        "--name",
        "Lighthouse Letters",
        "--authorized-domain",
        "localhost",
        "--authorized-domain",
        "127.0.0.1",
    )
    prepare_link(server)
    server.command("operator", "add", OPERATOR, "--role", "owner")
    server.command("account", "create", "demo", READER, "--password-stdin", given=PASSWORD + "\n")
    return walk.first_of(server.command_json("project", "show", "demo"), "apiKey", "apiKeys")


def link_domain(server):
    return f"links.localhost:{server.public.rpartition(':')[2]}"


def prepare_link(server):
    """A link domain, which browsers find on this machine by itself, and the two apps that its links open."""
    server.command("link-domain", "add", "demo", link_domain(server))
    app = "com.example.lighthouse"
    server.command(
        "app", "add", "apple", "demo", "--bundle-id", app, "--team-id", "LGHTHS1234", "--app-store-id", "123456789"
    )
    server.command("app", "add", "android", "demo", "--package", app, "--sha256", "5E" * 32)


def letter_link(server, site):
    """A short link to a letter: the app where it is installed, a store where it is not, the page on a desktop."""
    app = "com.example.lighthouse"
    return walk.first_of(
        server.command_json(
            "link", "create", "demo", "--link", f"{site}/articles/keeper?from=link#letter-3", "--suffix", "keeper",
            "--ibi", app, "--isi", "123456789", "--apn", app, "--st", "The keeper of the light",
        ),
        "link",
    )  # fmt: skip


def welcome(server, site, link):
    reset = f"{site}/articles/keeper?from=issue-12#letter-3"
    print(f"""
Lighthouse Letters is a small newsletter that keeps its readers with Homing.

  the site      {site}
  the mailbox   {site}/mailbox
  the console   {server.fresh_console_link()}
  Homing        {server.public}
  its log       {server.log}

The link to the console signs you in as an owner, once and within the hour; "Open the console", at the foot of each
page of the site, does so again.

One password reset that comes back to where it began:

  1. Open {reset} : a letter for readers only.
  2. Press "Forgot your password?" and ask for {READER}.
  3. Open the mailbox and follow the link in the newest email.
  4. Choose a new password, press Continue: you are at the same letter again.
  5. Sign in with the new password, and it opens where you were.

One sign-in that is finished on another device, {site}/anywhere :

  ask on the computer, open the email on the phone (a private window does), type the number: the computer is signed in.
  Or type the eight digits of the email on the computer.

One link for every device, {link} :

  it leads this browser to the letter, an iPhone to a page that opens the app, Android to the app or the Play Store.
  {link}?d=1 is its report: its destination on each device.

The console has all of this: accounts, each email with its timeline, links with their clicks, setup snippets, the brand.

The same as an app, in another terminal (about a minute to build):

  swift run --package-path Samples/Newsletter newsletter --site {site}

A back end of yours verifies ID tokens as docs/verifying.md says, and never with a Firebase Admin SDK that is pointed at
an emulator address: that one believes tokens which nobody has signed.

Press Ctrl-C to stop.""")


def until_interrupted(server):
    while server.is_running():
        time.sleep(0.5)
    raise DemoFailed(f"the server stopped:\n{server.log_tail()}")


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    server = None
    try:
        folder, _lock = folder_of_its_own(ROOT / ".demo")
        server = Server(arguments.binary, folder)
        server.start()
        api_key = prepare(server)
        site = newsletter.start(
            port_for(8099), homing=server.public, api_key=api_key, fresh_mailbox_link=server.fresh_mailbox_link,
            link_domain=f"http://{link_domain(server)}", fresh_console_link=server.fresh_console_link,
        )  # fmt: skip
        link = letter_link(server, site)
        if arguments.check:
            walk.there_and_back(server, site, api_key)
            walk.from_anywhere(server, site, api_key)
            walk.one_link(server, site, link)
            walk.behind_the_scenes(server, site, link)
            print("There and back again.")
        else:
            welcome(server, site, link)
            until_interrupted(server)
    except DemoFailed as failure:
        print(f"homing: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped")
        return 1 if arguments.check else 0
    finally:
        if server:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

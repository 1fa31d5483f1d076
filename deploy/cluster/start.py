# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The cluster on this machine: until it is interrupted, or the walk through two losses without a person."""

import argparse
import pathlib
import shutil
import signal
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "EndToEnd"), str(ROOT / "demo")]

from server import folder_of_its_own  # noqa: E402
from world.cluster import Cluster, at  # noqa: E402
from world.places import BINARY  # noqa: E402
from world.project import PASSWORD, new_address  # noqa: E402
from world.waiting import until  # noqa: E402

READER = "reader@example.com"
# A newcomer tries the same address again and again.
RELAXED = {"HOMING_LIMIT_MAIL_PER_ADDRESS_MINUTE": "0", "HOMING_LIMIT_MAIL_PER_ADDRESS_HOUR": "0"}


def welcome(cluster, project):
    one = cluster.nodes[0]
    primary, standby = cluster.primary(), cluster.standby()
    nodes = "\n".join(f"  node {node.name:<12}{node.public}" for node in cluster.nodes)
    settings = f"--config {one.settings}"
    print(f"""
Three nodes on one database that has a standby.

  the balancer     {cluster.public}
{nodes}
  the primary      {primary.place} (member {primary.name}), its standby {standby.place}
  everything else  {cluster.folder}

In another terminal:

  the nodes that are alive
      {BINARY} node list {settings}
  a mail through the balancer, and where to read it
      curl -s '{project.url("sendOobCode")}' -H 'Content-Type: application/json' \\
        -d '{{"requestType":"PASSWORD_RESET","email":"{READER}"}}'
      {BINARY} mailbox {settings}
  who is the primary
      {cluster.patronictl_words} list
  another primary, in good order
      {cluster.patronictl_words} switchover --force
  kill the primary: the standby takes over, and it comes back as the standby
      kill -9 {primary.postgres()[0].pid}
  kill a node
      kill -9 {one.pid}

Press Ctrl-C to stop.""")


def walk(cluster, project):
    """Loses the primary and a node, and looks for what they had."""
    reader = project.sign_up(new_address())["email"]
    _, code = project.link("PASSWORD_RESET", reader)
    project.ask("resetPassword", {"oobCode": code, "newPassword": "after the reset"})
    print("a password was reset through the balancer")

    lost, killed_at = cluster.primary(), time.monotonic()
    lost.kill()
    print(f"the primary is killed: member {lost.name}")
    until(lambda: project.post("signUp", {"email": new_address(), "password": PASSWORD}).status_code == 200,
          "writes are back", 60, every=0.5)  # fmt: skip
    print(f"writes are back after {time.monotonic() - killed_at:.0f} s, on member {cluster.primary().name}")
    assert project.can_sign_in(reader, "after the reset"), "the reset is gone"
    assert not project.can_sign_in(reader, PASSWORD), "the old password works again"
    assert project.inspect(code) is None, "the code works again"
    print("the reset is still in force, and its code is still used")
    lost.start()
    cluster.wait_for_standby()
    print(f"member {lost.name} is back, as the standby")

    gone, *others = cluster.nodes
    gone.kill()
    print(f"node {gone.name} is killed")
    for node in others:
        assert at(node, project).can_sign_in(reader, "after the reset"), f"node {node.name} does not answer"
    until(lambda: all(project.can_sign_in(reader, "after the reset") for _ in range(6)),
          "the balancer leaves the lost node out", 30)  # fmt: skip
    print("the others go on, and the balancer leaves it out")
    gone.start()
    until(gone.is_ready, f"node {gone.name} is ready again", 30)
    print(f"node {gone.name} is back")


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    signal.signal(signal.SIGTERM, interrupted)
    signal.signal(signal.SIGHUP, interrupted)
    cluster = None
    try:
        folder, _lock = folder_of_its_own(ROOT / ".cluster")
        shutil.rmtree(folder, ignore_errors=True)
        print("Starting")
        cluster = Cluster(folder, environment=None if check else RELAXED)
        cluster.start(say=lambda what: print(f"  {what}"))
        print("  a project, which every node knows in a moment")
        project = cluster.project("shop", domains=("localhost",))
        if check:
            walk(cluster, project)
            print("cluster: all well")
        else:
            cluster.command("account", "create", "shop", READER, "--password-stdin", given=f"{PASSWORD}\n")
            welcome(cluster, project)
            while True:
                signal.pause()
    except AssertionError as failure:
        print(f"homing: {failure}\nhoming: the logs are in {folder}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopping")
        return 1 if check else 0
    finally:
        if cluster:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

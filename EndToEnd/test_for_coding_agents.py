# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The REST calls of docs/for-coding-agents.md, as an agent would paste them."""

import json
import pathlib
import re
import subprocess

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs/for-coding-agents.md"


def test_each_call_of_the_page_is_answered_as_it_says(homing, project):
    homing.command("domain", "add", project.identifier, "www.shop.example")
    block = re.search(r"(?s)## Any language, over REST.*?```sh\n(.*?)```", PAGE.read_text())[1]
    start, _, calls = block.partition("\n\n")
    start = start.replace("https://auth.example.com", homing.public).replace("hk_…", project.api_key)
    homing.keep_secret("keeper of the light", "a new light")

    def call(line, value=None):
        line = line.replace("…", value or "…")
        run = subprocess.run(["bash", "-c", f"{start}\n{line}"], capture_output=True, text=True, timeout=60)
        answer = json.loads(run.stdout)
        assert "error" not in answer, f"{line}: {answer}"
        return answer

    sign_up, sign_in, lookup, refresh, send, reset = calls.splitlines()
    assert call(sign_up)["email"] == "ann@example.com"
    session = call(sign_in)
    homing.keep_secret(session["idToken"], session["refreshToken"])
    assert call(lookup, session["idToken"])["users"][0]["email"] == "ann@example.com"
    homing.keep_secret(call(refresh, session["refreshToken"])["id_token"])
    assert call(send)["email"] == "ann@example.com"
    code = project.link("PASSWORD_RESET", "ann@example.com")[1]
    assert call(reset, code)["email"] == "ann@example.com"
    assert project.can_sign_in("ann@example.com", "a new light")

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links made without a mail, and visits to them without a browser."""

import re

import requests

from .project import new_address


def made(project, kind="PASSWORD_RESET", **settings):
    address = project.sign_up(new_address("page"))["email"]
    link, code = project.link(kind, address, **settings)
    return address, link, code


def get(link, **headers):
    answer = requests.get(link, headers=headers, allow_redirects=False, timeout=30)
    assert answer.status_code < 500, answer.status_code
    return answer


def with_parameter(link, name, value):
    """The link with one parameter replaced, or added."""
    quoted = requests.utils.quote(value, safe="")
    replaced, count = re.subn(rf"([?&]{name}=)[^&]*", lambda found: found[1] + quoted, link)
    return replaced if count else f"{link}&{name}={quoted}"

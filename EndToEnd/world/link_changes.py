# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Links as an operator's back end and an operator at a shell change them."""

import requests

from .dynamic_links import quoted


class LinkDesk:
    """The links of a place on the admin listener, and `homing link` for them."""

    def __init__(self, place):
        self.place = place
        self.homing = place.homing
        self.project = place.project.identifier
        self.url = f"{self.homing.admin}/v1/projects/{self.project}/links"

    def ending(self, link):
        return link.removeprefix(f"{self.place.base}/")

    def path(self, link):
        return f"{self.url}/{quoted(self.place.domain)}/{self.ending(link)}"

    def ask(self, method, url, body=None, **query):
        return requests.request(method, url, json=body, params=query, headers=self.place.bearer, timeout=30)

    def read(self, link):
        answer = self.ask("GET", self.path(link))
        assert answer.status_code == 200, answer.text
        return answer.json()

    def patch(self, link, mask, **body):
        return self.ask("PATCH", self.path(link), body, updateMask=mask)

    def batch(self, *wanted):
        return self.ask("POST", f"{self.url}:batch", {"requests": list(wanted)})

    def find(self, **query):
        answer = self.ask("GET", self.url, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def command(self, verb, link, *options, **more):
        return self.homing.command("link", verb, self.project, link, *options, **more)

    def edit(self, link, *options, **more):
        return self.command("edit", link, *options, **more)

    def versions(self, link):
        """The newest first."""
        told = self.homing.told("link", "versions", self.project, link)
        return told if isinstance(told, list) else told["versions"]

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A page as a browser without scripts has it."""

import html.parser
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.text = text
        self.language = None
        self.title = ""
        self.words = []
        self.forms, self.anchors, self.headings, self.labels, self.tags = [], [], [], [], []
        self.sources, self.handlers, self.styles = [], [], []
        self._inside = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.tags.append(tag)
        if tag not in ("input", "meta", "link", "br", "img", "hr", "wbr"):
            self._inside.append(tag)
        if tag == "html":
            self.language = values.get("lang")
        elif tag == "form":
            self.forms.append(
                {
                    "method": (values.get("method") or "get").lower(),
                    "action": values.get("action") or "",
                    "inputs": [],
                    "buttons": 0,
                }
            )
        elif tag in ("input", "button") and "form" in self._inside:
            kind = (values.get("type") or ("submit" if tag == "button" else "text")).lower()
            if kind == "submit":
                self.forms[-1]["buttons"] += 1
            if values.get("name"):
                self.forms[-1]["inputs"].append(values | {"type": kind})
        elif tag == "a" and values.get("href") is not None:
            self.anchors.append(values["href"])
        elif tag == "label":
            self.labels.append(values.get("for"))
        for name, value in values.items():
            if name in ("src", "srcset", "poster", "background", "data") or (
                name == "href" and tag in ("link", "base", "use")
            ):
                self.sources.append(value)
            if name.startswith("on"):
                self.handlers.append(name)
            if name == "style":
                self.styles.append(value)

    def handle_endtag(self, tag):
        if tag in self._inside:
            while self._inside and self._inside.pop() != tag:
                pass

    def handle_data(self, data):
        if "title" in self._inside:
            self.title += data
        elif not {"style", "script"} & set(self._inside):
            self.words.append(data)
        if "h1" in self._inside:
            self.headings.append(data)

    @property
    def said(self):
        """What a person reads, spaces folded."""
        return " ".join(" ".join(self.words).split())

    def form(self):
        """The one form that acts."""
        acting = [form for form in self.forms if form["method"] == "post"]
        assert len(acting) == 1, f"{len(acting)} forms post on: {self.said}"
        return acting[0]


def submit(session, url, page, **typed):
    """Presses the button of the page's form, as a browser without scripts does; the answer."""
    form = page.form()
    fields = {field["name"]: field.get("value") or "" for field in form["inputs"] if field["type"] != "submit"}
    return session.post(urllib.parse.urljoin(url, form["action"] or url), data=fields | typed, allow_redirects=False)

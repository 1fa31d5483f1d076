# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Letters as they arrive: what they call the app, what a notice tells, and where its button leads."""

import pytest
from world.project import new_address

LANGUAGES = ("en", "es", "pt-BR", "it", "zh-CN", "tr")


@pytest.fixture(scope="module")
def shop(homing):
    """A project whose app brings an article of its own."""
    homing.project("the-shop")
    homing.command("project", "set", "the-shop", "displayName", "The Shop")
    return homing.projects["the-shop"]


def test_an_app_with_an_article_in_its_name_gets_no_second_one(homing, shop, sink):
    for language in LANGUAGES:
        address = shop.sign_up(new_address("article"))["email"]
        shop.send_reset(address, locale=language)
        mail = sink.wait_for(address)
        for text in (mail.subject, mail.text, mail.html):
            assert "The Shop" in text
            for article in ("The", "the", "El", "el", "La", "la", "O", "o", "Il", "il"):
                assert f" {article} The Shop" not in text, (language, text)
            assert "The Shop’s" not in text and "The Shop's" not in text and "The Shop team" not in text

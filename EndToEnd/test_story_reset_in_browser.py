# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Situation 1: a person who reads in Spanish meets a sign-in wall, forgot the password, and is back at the article."""

from selenium.webdriver.common.by import By
from world import links
from world.browser import browser, continue_to, press_the_button, wait
from world.project import PASSWORD, new_address


def test_a_reset_begun_at_an_article_comes_back_to_that_article_in_spanish(project, sink, site):
    reader = project.sign_up(new_address("sofia"))
    address = reader["email"]
    article = f"{site.url}/articulos/faro?n=12&pos=1840&q=a%2Bb%20c&x=#carta-3"

    answered = project.send_reset(address, locale="es", continueUrl=article)
    assert answered == {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": address}

    mail = sink.wait_for(address, "resetPassword")
    link = mail.link("resetPassword")
    project.homing.keep_secret(mail.code("resetPassword"))
    assert mail.message["Content-Language"] == "es"
    assert "contraseña" in mail.subject.lower() or "contraseña" in mail.text.lower()
    assert mail.html.replace("&amp;", "&").count(link) >= 1, "the HTML part has the same link as the text part"
    assert links.names(link) == ["mode", "oobCode", "apiKey", "continueUrl", "lang"]
    assert links.parameter(link, "apiKey") == project.api_key
    assert links.parameter(link, "continueUrl") == article
    assert links.parameter(link, "lang") == "es"
    assert link.startswith(f"{project.homing.public}/__/auth/action?")

    with browser(language="en-US") as page:
        page.get(link)
        assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "es"
        assert address in page.find_element(By.TAG_NAME, "body").text
        wait(page, lambda: mail.code("resetPassword") not in page.current_url, "the code leaves the address bar")
        page.find_element(By.NAME, "newPassword").send_keys("faro de Skarv 11")
        press_the_button(page)
        wait(page, lambda: not page.find_elements(By.NAME, "newPassword"), "the page after the form")
        assert page.current_url.startswith(project.homing.public), "after success the person is still on our host"
        assert page.find_element(By.TAG_NAME, "html").get_attribute("lang") == "es"
        continue_to(page, article)
        assert page.find_element(By.ID, "here").is_displayed()

    arrived = site.visits[0]
    assert arrived["path"] == article.removeprefix(site.url).partition("#")[0], "the state came back byte for byte"
    assert "oobCode" not in arrived["headers"].get("Referer", "")
    assert project.can_sign_in(address, "faro de Skarv 11")
    assert not project.can_sign_in(address, PASSWORD)
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "TOKEN_EXPIRED"


def test_the_person_is_told_that_the_password_changed(project, sink, site):
    address = project.sign_up(new_address("sofia"))["email"]
    project.send_reset(address, locale="es", continueUrl=f"{site.url}/")
    code = sink.wait_for(address, "resetPassword").code("resetPassword")
    project.ask("resetPassword", {"oobCode": code, "newPassword": "another password 2"})
    notice = sink.wait_for(address, count=2)
    assert not notice.has_link("resetPassword") and code not in notice.text
    assert len(sink.to(address)) == 2

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's own Python Admin SDK, unmodified, pointed at the admin listener as it is pointed at the emulator.

It makes accounts and links. It must never verify ID tokens: in this mode it checks no signature.
"""

import time
import urllib.parse

import firebase_admin
import jwt
import pytest
import requests
from cryptography.x509 import load_pem_x509_certificate
from firebase_admin import auth
from world import admin_sdk, certificates, links, recipes, tokens
from world.envelope import envelope
from world.front import Front
from world.project import PASSWORD, new_address

SETTINGS = auth.ActionCodeSettings(url="https://good.example/back?here=1#there", handle_code_in_app=False)


@pytest.fixture(scope="module")
def homing(sink):
    with admin_sdk.server(sink) as homing:
        yield homing


@pytest.fixture(scope="module")
def app(homing, project):
    with admin_sdk.app(homing, project, "end-to-end") as app:
        yield app


def test_an_account_can_be_made_read_changed_and_deleted(app, project):
    address = new_address("admin")
    made = auth.create_user(email=address, password=PASSWORD, display_name="Ada", email_verified=False, app=app)
    assert made.uid and made.email == address and made.display_name == "Ada" and made.email_verified is False
    assert auth.get_user(made.uid, app=app).email == address
    assert auth.get_user_by_email(address.upper(), app=app).uid == made.uid
    assert project.can_sign_in(address, PASSWORD)

    changed = auth.update_user(
        made.uid, email_verified=True, display_name="Ada L.", password="changed by admin", app=app
    )
    assert changed.email_verified is True and changed.display_name == "Ada L."
    assert project.can_sign_in(address, "changed by admin") and not project.can_sign_in(address, PASSWORD)

    auth.update_user(made.uid, disabled=True, app=app)
    assert project.sign_in(address, "changed by admin").json()["error"]["message"] == "USER_DISABLED"
    auth.update_user(made.uid, disabled=False, app=app)

    auth.delete_user(made.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(made.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_email(address, app=app)


def test_an_account_may_bring_its_own_identifier(app):
    made = auth.create_user(uid="keeper-of-skarv", email=new_address("admin"), app=app)
    assert made.uid == "keeper-of-skarv"
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid="keeper-of-skarv", app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=made.email, app=app)


def test_custom_claims_arrive_in_the_token(app, homing, project):
    address = new_address("admin")
    uid = auth.create_user(email=address, password=PASSWORD, app=app).uid
    auth.set_custom_user_claims(uid, {"plan": "patron"}, app=app)
    token = project.sign_in(address, PASSWORD).json()["idToken"]
    verifier = recipes.python_module().IDTokenVerifier(f"{homing.public}/.well-known/jwks.json", project.identifier)
    assert verifier.verify(token)["plan"] == "patron"
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(uid, {"sub": "other"}, app=app)


def test_it_believes_what_nobody_has_signed_which_is_why_the_manual_forbids_it_to_verify_tokens(app, homing, project):
    """docs/verifying.md says so; this shows that the warning is true of today's SDK."""
    victim = project.sign_up()
    now = int(time.time())
    claims = {
        "iss": f"https://securetoken.google.com/{project.identifier}",
        "aud": project.identifier,
        "sub": victim["localId"],
        "auth_time": now,
        "iat": now,
        "exp": now + 3600,
        "admin": True,
    }
    unsigned = tokens.made({"alg": "none", "typ": "JWT"}, claims)
    header, _, signature = victim["idToken"].split(".")
    changed = f"{header}.{tokens.part(claims)}.{signature}"
    verifier = recipes.python_module().IDTokenVerifier(f"{homing.public}/.well-known/jwks.json", project.identifier)
    for forged in (unsigned, changed):
        believed = auth.verify_id_token(forged, app=app)
        assert believed["uid"] == victim["localId"] and believed["admin"] is True
        with pytest.raises(jwt.InvalidTokenError):
            verifier.verify(forged)


def test_it_makes_session_cookies_and_they_verify_with_keys_that_are_published(app, homing, project):
    person = project.sign_up()
    cookie = auth.create_session_cookie(person["idToken"], expires_in=600, app=app)
    certificates = requests.get(f"{homing.public}/v1/publicKeys", timeout=30).json()
    certificate = load_pem_x509_certificate(certificates[jwt.get_unverified_header(cookie)["kid"]].encode())
    claims = jwt.decode(cookie, certificate.public_key(), algorithms=["RS256"], audience=project.identifier)
    assert claims["sub"] == person["localId"]
    assert claims["exp"] - claims["iat"] == 600


def test_sessions_can_be_revoked(app, project):
    reader = project.sign_up()
    auth.update_user(reader["localId"], valid_since=4_000_000_000, app=app)
    assert project.refresh(reader["refreshToken"]).json()["error"]["message"] == "TOKEN_EXPIRED"


def test_a_reset_link_is_made_without_a_mail_and_works(app, project, sink):
    address = new_address("admin")
    auth.create_user(email=address, password=PASSWORD, app=app)
    link = auth.generate_password_reset_link(address, SETTINGS, app=app)
    assert links.parameter(link, "mode") == "resetPassword"
    assert links.parameter(link, "continueUrl") == SETTINGS.url and links.parameter(link, "apiKey") == project.api_key
    page = requests.get(link, timeout=30)
    assert page.status_code == 200 and "newPassword" in page.text
    project.ask("resetPassword", {"oobCode": links.parameter(link, "oobCode"), "newPassword": "by the link 1"})
    assert project.can_sign_in(address, "by the link 1")
    assert [mail for mail in sink.to(address) if mail.has_link("resetPassword")] == []


def test_a_verification_link_verifies(app, project):
    made = auth.create_user(email=new_address("admin"), app=app)
    link = auth.generate_email_verification_link(made.email, SETTINGS, app=app)
    project.ask("update", {"oobCode": links.parameter(link, "oobCode")})
    assert auth.get_user(made.uid, app=app).email_verified is True


def test_a_sign_in_link_signs_in(app, project):
    address = new_address("admin")
    settings = auth.ActionCodeSettings(url="https://good.example/", handle_code_in_app=True)
    link = auth.generate_sign_in_with_email_link(address, settings, app=app)
    assert links.names(link)[:3] == ["apiKey", "mode", "oobCode"]
    signed_in = project.ask("signInWithEmailLink", {"email": address, "oobCode": links.parameter(link, "oobCode")})
    assert auth.get_user_by_email(address, app=app).uid == signed_in["localId"]


def test_what_cannot_be_is_refused_in_the_clients_own_words(app):
    with pytest.raises(firebase_admin.exceptions.FirebaseError):
        auth.generate_password_reset_link(new_address("nobody"), app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.generate_email_verification_link(new_address("nobody"), app=app)
    with pytest.raises(firebase_admin.exceptions.InvalidArgumentError):
        auth.generate_sign_in_with_email_link(
            new_address("nobody"),
            auth.ActionCodeSettings(url="https://evil.example/", handle_code_in_app=True),
            app=app,
        )
    with pytest.raises(auth.InvalidHostingLinkDomainError):
        auth.generate_sign_in_with_email_link(
            new_address("nobody"),
            auth.ActionCodeSettings(
                url="https://good.example/",
                handle_code_in_app=True,
                ios_bundle_id="com.example.app",
                link_domain="evil.example",
            ),
            app=app,
        )
    with pytest.raises(auth.UserNotFoundError):
        auth.delete_user("nobody-at-all", app=app)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Forwarded": "for=1.2.3.4"},
        {"X-Forwarded-For": "1.2.3.4"},
        {"X-Forwarded-Host": "x"},
        {"Via": "1.1 proxy"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"},
    ],
)
def test_a_request_that_passed_through_something_is_never_owner(app, homing, project, headers):
    answer = requests.post(
        f"{homing.admin}/identitytoolkit.googleapis.com/v1/projects/{project.identifier}/accounts:lookup",
        json={"email": ["a@b.example"]},
        headers={"Authorization": "Bearer owner"} | headers,
        timeout=30,
    )
    message = envelope(answer, 401)
    assert next(iter(headers)) in message and "admin key" in message, "it says why"


def test_owner_is_not_taken_under_another_name(homing, project):
    answer = requests.get(
        f"{homing.admin}/metrics", headers={"Authorization": "Bearer owner", "Host": "evil.example"}, timeout=30
    )
    assert answer.status_code == 421


@pytest.mark.parametrize("headers", [{"Sec-Fetch-Mode": "cors"}, {"Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "none"}])
def test_a_back_ends_own_fetch_is_owner(app, homing, headers):
    answer = requests.get(
        f"{homing.admin}/metrics", headers={"Authorization": "Bearer owner"} | headers, timeout=30
    )
    assert answer.status_code == 200, answer.text


def test_owner_is_refused_at_start_unless_the_listener_is_on_loopback(fresh):
    homing = fresh(HOMING_ADMIN_OWNER="allow", HOMING_ADMIN_LISTEN="0.0.0.0:0")
    done = homing.command("serve", expect=1)
    assert "HOMING_ADMIN_OWNER" in done.stderr or "admin.owner" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_owner_does_not_pass_a_proxy_that_adds_no_header(homing, project, tmp_path):
    front = Front(homing.admin, "admin.example.com")
    authority = certificates.Authority(tmp_path)
    files = authority.issue("localhost")
    path = f"/v1/projects/{project.identifier}/accounts:query"

    def ask(root, token):
        headers = {"Authorization": f"Bearer {token}", "Host": urllib.parse.urlsplit(homing.admin).netloc}
        return requests.post(
            root + path, json={}, headers=headers, timeout=30, verify=str(authority.certificate))

    try:
        front.start(*files)
        assert ask(homing.admin, "owner").status_code == 200
        refused = ask(f"https://localhost:{front.port}", "owner")
        assert refused.status_code == 401 and "HTTP/1.0" in refused.text
        assert ask(f"https://localhost:{front.port}", homing.admin_key).status_code == 200
    finally:
        front.remove()

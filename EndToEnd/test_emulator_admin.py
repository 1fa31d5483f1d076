# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's own Python Admin SDK, unmodified, pointed at the emulator as it is pointed at Firebase's."""

import firebase_admin
import pytest
from firebase_admin import auth, credentials, tenant_mgt
from google.auth.credentials import AnonymousCredentials
from world import links
from world.emulator import refusal, told
from world.project import PASSWORD, new_address

SETTINGS = auth.ActionCodeSettings(url="https://shop.example/back?here=1#there", handle_code_in_app=True)


class Nobody(credentials.Base):
    """No credential; Google's default ones would be looked for when a tenant is named."""

    def get_credential(self):
        return AnonymousCredentials()


@pytest.fixture
def app(emulator, monkeypatch):
    monkeypatch.setenv("FIREBASE_AUTH_EMULATOR_HOST", emulator.url.removeprefix("http://"))
    app = firebase_admin.initialize_app(Nobody(), options={"projectId": emulator.project}, name="emulator")
    yield app
    firebase_admin.delete_app(app)


def test_an_account_can_be_made_read_changed_and_deleted(app, emulator):
    address = new_address("Admin")
    made = auth.create_user(
        email=address, password=PASSWORD, display_name="Ada", photo_url="https://a.example/p", email_verified=True,
        app=app,
    )
    assert made.email == address.lower() and made.display_name == "Ada" and made.email_verified
    assert made.photo_url == "https://a.example/p" and not made.disabled and made.custom_claims is None
    assert auth.get_user_by_email(address.upper(), app=app).uid == made.uid
    assert emulator.sign_in(address).json()["localId"] == made.uid

    changed = auth.update_user(made.uid, display_name=auth.DELETE_ATTRIBUTE, password="another horse 2", app=app)
    assert changed.display_name is None and emulator.sign_in(address, "another horse 2").status_code == 200
    auth.update_user(made.uid, disabled=True, app=app)
    assert refusal(emulator.sign_in(address, "another horse 2")) == "USER_DISABLED"

    auth.delete_user(made.uid, app=app)
    for nobody in (lambda: auth.get_user(made.uid, app=app), lambda: auth.delete_user(made.uid, app=app)):
        with pytest.raises(auth.UserNotFoundError):
            nobody()


def test_an_account_may_have_nothing_but_an_identifier(app):
    made = auth.create_user(uid="keeper-of-skarv", app=app)
    assert made.uid == "keeper-of-skarv" and made.email is None and made.provider_data == []
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid="keeper-of-skarv", app=app)


def test_what_is_taken_is_refused_in_the_clients_own_words(app):
    address, number = new_address(), "+15550140"
    auth.create_user(email=address, phone_number=number, app=app)
    other = auth.create_user(app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=address, app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.update_user(other.uid, email=address, app=app)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.create_user(phone_number=number, app=app)
    with pytest.raises(auth.PhoneNumberAlreadyExistsError):
        auth.update_user(other.uid, phone_number=number, app=app)


def test_a_phone_number_is_kept_as_data(app):
    made = auth.create_user(phone_number="+15550141", app=app)
    assert made.phone_number == "+15550141"
    assert [(entry.provider_id, entry.phone_number) for entry in made.provider_data] == [("phone", "+15550141")]
    assert auth.get_user_by_phone_number("+15550141", app=app).uid == made.uid
    auth.update_user(made.uid, phone_number="+15550142", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_phone_number("+15550141", app=app)
    changed = auth.update_user(made.uid, phone_number=auth.DELETE_ATTRIBUTE, app=app)
    assert changed.phone_number is None and changed.provider_data == []


def test_accounts_of_other_providers_are_found_by_the_identifiers_there(app):
    google = auth.UserProvider("g-40", "google.com", email="ada@gmail.example", display_name="Ada L.")
    record = auth.ImportUserRecord("ada-40", email=new_address(), phone_number="+15550143", provider_data=[google])
    bob = auth.create_user(email=new_address(), app=app)
    assert auth.import_users([record], app=app).failure_count == 0
    wanted = [
        auth.ProviderIdentifier("google.com", "g-40"), auth.PhoneIdentifier("+15550143"), auth.UidIdentifier("ada-40"),
        auth.EmailIdentifier(bob.email), auth.UidIdentifier("nobody"),
    ]
    result = auth.get_users(wanted, app=app)
    assert [user.uid for user in result.users] == ["ada-40", bob.uid] and len(result.not_found) == 1
    [entry] = [entry for entry in auth.get_user("ada-40", app=app).provider_data if entry.provider_id == "google.com"]
    assert (entry.uid, entry.email, entry.display_name) == ("g-40", "ada@gmail.example", "Ada L.")
    changed = auth.update_user("ada-40", providers_to_delete=["google.com"], app=app)
    assert [entry.provider_id for entry in changed.provider_data] == ["phone"]
    assert auth.get_users(wanted[:1], app=app).users == []


def test_custom_claims_arrive_in_the_token_and_go_away(app, emulator):
    address = new_address()
    uid = auth.create_user(email=address, password=PASSWORD, app=app).uid
    auth.set_custom_user_claims(uid, {"plan": "patron"}, app=app)
    assert auth.get_user(uid, app=app).custom_claims == {"plan": "patron"}
    assert auth.verify_id_token(emulator.sign_in(address).json()["idToken"], app=app)["plan"] == "patron"
    auth.set_custom_user_claims(uid, None, app=app)
    assert auth.get_user(uid, app=app).custom_claims is None
    assert "plan" not in auth.verify_id_token(emulator.sign_in(address).json()["idToken"], app=app)


# --- tokens ----------------------------------------------------------------------------------------------------------


def test_an_id_token_is_verified_and_revoked(app, emulator):
    made = emulator.sign_up()
    verified = auth.verify_id_token(made["idToken"], check_revoked=True, app=app)
    assert verified["uid"] == made["localId"] and verified["email"] == made["email"]
    auth.update_user(made["localId"], valid_since=4_000_000_000, app=app)
    assert auth.verify_id_token(made["idToken"], app=app)["uid"] == made["localId"]
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(made["idToken"], check_revoked=True, app=app)
    assert emulator.refused("lookup", {"idToken": made["idToken"]}) == "TOKEN_EXPIRED"


def test_an_id_token_of_somebody_disabled_is_refused(app, emulator):
    made = emulator.sign_up()
    auth.update_user(made["localId"], disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(made["idToken"], check_revoked=True, app=app)


def test_a_session_cookie_is_made_and_verified(app, emulator):
    made = emulator.sign_up()
    cookie = auth.create_session_cookie(made["idToken"], 600, app=app)
    session = auth.verify_session_cookie(cookie, check_revoked=True, app=app)
    assert session["uid"] == made["localId"] and session["exp"] - session["iat"] == 600
    with pytest.raises(auth.InvalidSessionCookieError):
        auth.verify_session_cookie(made["idToken"], app=app)
    with pytest.raises(auth.InvalidIdTokenError):
        auth.verify_id_token(cookie, app=app)
    with pytest.raises(auth.InvalidIdTokenError):
        auth.create_session_cookie("no.token.this", 600, app=app)


def test_a_custom_token_that_the_sdk_makes_signs_in(app, emulator):
    token = auth.create_custom_token("keeper", {"role": "keeper"}, app=app).decode()
    made = emulator.ask("signInWithCustomToken", {"token": token})
    verified = auth.verify_id_token(made["idToken"], app=app)
    assert (verified["uid"], verified["role"]) == ("keeper", "keeper")
    assert verified["firebase"]["sign_in_provider"] == "custom"
    assert auth.get_user("keeper", app=app).user_metadata.last_sign_in_timestamp


# --- many at once ----------------------------------------------------------------------------------------------------


def test_accounts_are_imported_and_refused_one_by_one(app):
    taken = auth.create_user(email=new_address(), app=app)
    records = [
        auth.ImportUserRecord("imported-1", email=new_address("One"), email_verified=True, custom_claims={"a": 1},
                              user_metadata=auth.UserMetadata(1_500_000_000_000, 1_500_000_001_000)),
        auth.ImportUserRecord(taken.uid, email=new_address()),
        auth.ImportUserRecord("imported-2", password_hash=b"hashed", password_salt=b"NaCl", disabled=True),
    ]
    result = auth.import_users(records, hash_alg=auth.UserImportHash.hmac_sha256(b"key"), app=app)
    assert (result.success_count, result.failure_count) == (2, 1)
    assert [(error.index, error.reason) for error in result.errors] == [
        (1, "localId belongs to an existing account - can not overwrite.")
    ]
    one, two = auth.get_user("imported-1", app=app), auth.get_user("imported-2", app=app)
    assert one.email == one.email.lower() and one.email_verified and one.custom_claims == {"a": 1}
    assert one.user_metadata.creation_timestamp == 1_500_000_000_000
    assert one.user_metadata.last_sign_in_timestamp == 1_500_000_001_000 and two.disabled


def test_everybody_is_listed_page_by_page_with_hash_and_salt(app, emulator):
    emulator.sign_up()
    auth.import_users([auth.ImportUserRecord(f"listed-{number:02}") for number in range(30)], app=app)
    everybody = list(auth.list_users(max_results=7, app=app).iterate_all())
    assert [user.uid for user in everybody] == sorted(user.uid for user in everybody)
    assert {f"listed-{number:02}" for number in range(30)} <= {user.uid for user in everybody}
    [someone, *_] = [user for user in everybody if user.password_hash and user.password_salt.startswith("fakeSalt")]
    assert someone.password_hash.startswith(f"fakeHash:salt={someone.password_salt}:password=")
    assert auth.list_users(max_results=len(everybody), app=app).has_next_page, "a full page always has a next one"


def test_accounts_are_deleted_at_once(app):
    uids = [auth.create_user(app=app).uid for _ in range(3)]
    result = auth.delete_users([*uids[:2], "nobody"], app=app)
    assert (result.success_count, result.failure_count) == (3, 0)
    found = auth.get_users([auth.UidIdentifier(uid) for uid in uids], app=app)
    assert [user.uid for user in found.users] == uids[2:]


# --- links -----------------------------------------------------------------------------------------------------------


def test_generated_links_work_as_they_are(app, emulator):
    made = auth.create_user(email=new_address(), password=PASSWORD, app=app)
    link = auth.generate_email_verification_link(made.email, app=app)
    assert told(emulator.request("GET", link.removeprefix(emulator.url)))["authEmulator"]["email"] == made.email
    assert auth.get_user(made.uid, app=app).email_verified
    link = auth.generate_password_reset_link(made.email, SETTINGS, app=app)
    answer = emulator.request("GET", f"{link.removeprefix(emulator.url)}&newPassword=another2")
    assert answer.status_code == 303 and answer.headers["Location"] == SETTINGS.url
    assert emulator.sign_in(made.email, "another2").status_code == 200
    link = auth.generate_sign_in_with_email_link(made.email, SETTINGS, app=app)
    body = {"email": made.email, "oobCode": links.parameter(link, "oobCode")}
    assert emulator.ask("signInWithEmailLink", body)["localId"] == made.uid


def test_links_for_nobody_are_refused(app):
    with pytest.raises(auth.EmailNotFoundError):
        auth.generate_password_reset_link("nobody@people.example", app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.generate_email_verification_link("nobody@people.example", app=app)


# --- tenants ---------------------------------------------------------------------------------------------------------


def test_a_tenant_has_accounts_tokens_and_links_of_its_own(app, emulator):
    tenant = tenant_mgt.auth_for_tenant("shop", app=app)
    made = tenant.create_user(email=new_address(), password=PASSWORD)
    assert made.tenant_id == "shop" and [user.uid for user in tenant.list_users().iterate_all()] == [made.uid]
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(made.uid, app=app)
    token = emulator.sign_in(made.email, tenantId="shop").json()["idToken"]
    assert tenant.verify_id_token(token, check_revoked=True)["uid"] == made.uid
    with pytest.raises(tenant_mgt.TenantIdMismatchError):
        tenant_mgt.auth_for_tenant("other", app=app).verify_id_token(token)
    link = tenant.generate_email_verification_link(made.email)
    assert links.parameter(link, "tenantId") == "shop"

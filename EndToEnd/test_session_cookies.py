# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Tokens that others verify: session cookies, and the documents in which verifiers find keys."""

import json

import jwt
import pytest
import requests
from cryptography.x509 import load_pem_x509_certificate
from world import tokens
from world.gates import blocks, changed

GOOGLE = "/www.googleapis.com"
SIGNER = "securetoken@system.gserviceaccount.com"


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up()


def cookie(project, id_token, **members):
    """The answer to the back end that asks for a cookie."""
    homing = project.homing
    return requests.post(
        f"{homing.admin}/identitytoolkit.googleapis.com/v1/projects/{project.identifier}:createSessionCookie",
        json={"idToken": id_token, **members}, headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)


def keys_at(url):
    return {key["kid"]: jwt.PyJWK(key) for key in requests.get(url, timeout=30).json()["keys"]}


def verified(token, keys, **expected):
    """The claims of a token, verified with the key that it names."""
    return jwt.decode(token, keys[jwt.get_unverified_header(token)["kid"]].key, algorithms=["RS256"], **expected)


# --- session cookies -----------------------------------------------------------------------------------------------


def test_a_back_end_gets_a_cookie_of_two_weeks_with_the_claims_of_the_id_token(homing, project, reader):
    answer = cookie(project, reader["idToken"])
    assert answer.status_code == 200, answer.text
    token = answer.json()["sessionCookie"]
    assert set(jwt.get_unverified_header(token)) == {"alg", "kid"}
    issuer = f"https://session.firebase.google.com/{project.identifier}"
    claims = verified(token, keys_at(f"{homing.public}/v1/sessionCookiePublicKeys"), audience=project.identifier,
                      issuer=issuer)
    assert claims["exp"] - claims["iat"] == 1_209_600
    of_token = tokens.read(reader["idToken"].split(".")[1])
    times = {"iss", "iat", "exp"}
    assert {k: v for k, v in claims.items() if k not in times} == {
        k: v for k, v in of_token.items() if k not in times}


def test_the_back_end_chooses_how_long_it_lives(homing, project, reader):
    for given in (300, "300", 1_209_600):
        token = cookie(project, reader["idToken"], validDuration=given).json()["sessionCookie"]
        claims = tokens.read(token.split(".")[1])
        assert claims["exp"] - claims["iat"] == int(given)


@pytest.mark.parametrize("given", [0, 299, 1_209_601, -1, "0"])
def test_a_life_that_is_too_short_or_too_long_is_refused(project, reader, given):
    answer = cookie(project, reader["idToken"], validDuration=given)
    assert (answer.status_code, answer.json()["error"]["message"]) == (400, "INVALID_DURATION")


@pytest.mark.parametrize("given", [300.5, "soon", [], True])
def test_a_life_that_is_no_number_is_refused(project, reader, given):
    answer = cookie(project, reader["idToken"], validDuration=given)
    assert (answer.status_code, answer.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_there_is_no_cookie_without_a_living_session(homing, project):
    def refusal(token):
        return cookie(project, token).json()["error"]["message"]

    assert cookie(project, None).json()["error"]["message"] == "MISSING_ID_TOKEN"
    assert refusal("x.y.z") == "INVALID_ID_TOKEN"
    person = project.sign_up()
    header, payload, _ = person["idToken"].split(".")
    assert refusal(f"{tokens.part({'alg': 'none', 'typ': 'JWT'})}.{payload}.") == "INVALID_ID_TOKEN"
    other = homing.project("cookie-other")
    assert refusal(other.sign_up()["idToken"]) == "INVALID_ID_TOKEN"
    project.admin_ask(":update", {"localId": person["localId"], "disableUser": True})
    assert refusal(person["idToken"]) == "USER_DISABLED"
    project.admin_ask(":delete", {"localId": person["localId"]})
    assert refusal(person["idToken"]) == "USER_NOT_FOUND"


def test_a_cookie_is_no_id_token_here(project, reader):
    token = cookie(project, reader["idToken"]).json()["sessionCookie"]
    assert project.post("lookup", {"idToken": token}).json()["error"]["message"] == "INVALID_ID_TOKEN"
    assert cookie(project, token).json()["error"]["message"] == "INVALID_ID_TOKEN"


def test_the_public_listener_makes_no_cookies(homing, project, reader):
    for prefix in ("", "/identitytoolkit.googleapis.com"):
        answer = requests.post(
            f"{homing.public}{prefix}/v1/projects/{project.identifier}:createSessionCookie",
            params={"key": project.api_key}, json={"idToken": reader["idToken"]}, timeout=30)
        assert answer.status_code == 404


def test_the_query_has_its_other_name(homing, project, reader):
    answer = requests.post(
        f"{homing.admin}/v1/projects/{project.identifier}:queryAccounts", json={"expression": [{"email": reader["email"]}]},
        headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30)
    assert [user["localId"] for user in answer.json()["userInfo"]] == [reader["localId"]]


# --- keys ----------------------------------------------------------------------------------------------------------


def test_keys_stand_where_verifiers_for_firebase_look_for_them(homing, project, reader):
    ours = requests.get(f"{homing.public}/.well-known/jwks.json", timeout=30)
    googles = requests.get(f"{homing.public}{GOOGLE}/service_accounts/v1/jwk/{SIGNER}", timeout=30)
    assert ours.json() == googles.json()
    certificates = requests.get(f"{homing.public}{GOOGLE}/robot/v1/metadata/x509/{SIGNER}", timeout=30)
    assert "max-age=" in certificates.headers["Cache-Control"]
    certificate = load_pem_x509_certificate(
        certificates.json()[jwt.get_unverified_header(reader["idToken"])["kid"]].encode())
    claims = jwt.decode(reader["idToken"], certificate.public_key(), algorithms=["RS256"],
                        audience=project.identifier)
    assert claims["sub"] == reader["localId"]
    certificate.verify_directly_issued_by(certificate)
    # Some verifiers take a list with any other key for broken.
    assert all("RSA" in type(load_pem_x509_certificate(pem.encode()).public_key()).__name__
               for pem in certificates.json().values())


def test_cookies_have_keys_of_their_own(homing, project, reader):
    token = cookie(project, reader["idToken"]).json()["sessionCookie"]
    kid = jwt.get_unverified_header(token)["kid"]
    lists = [requests.get(f"{homing.public}{path}", timeout=30).json() for path in (
        "/v1/publicKeys", "/identitytoolkit.googleapis.com/v1/publicKeys",
        f"{GOOGLE}/identitytoolkit/v3/relyingparty/publicKeys")]
    assert lists[0] == lists[1] == lists[2]
    key = load_pem_x509_certificate(lists[0][kid].encode()).public_key()
    assert jwt.decode(token, key, algorithms=["RS256"], audience=project.identifier)["sub"] == reader["localId"]
    assert kid not in keys_at(f"{homing.public}/.well-known/jwks.json")
    assert set(keys_at(f"{homing.public}/v1/sessionCookiePublicKeys")) == set(lists[0])


def test_a_new_key_takes_over_and_the_old_one_goes_on_verifying(fresh):
    server = fresh()
    server.start()
    project = server.project("rotated")
    person = project.sign_up()
    before = cookie(project, person["idToken"]).json()["sessionCookie"]
    server.command("key", "add")
    server.command("key", "use", "2")
    after = cookie(project, person["idToken"]).json()["sessionCookie"]
    keys = keys_at(f"{server.public}/v1/sessionCookiePublicKeys")
    for token in (before, after):
        verified(token, keys, audience=project.identifier)
    assert jwt.get_unverified_header(before)["kid"] != jwt.get_unverified_header(after)["kid"]
    server.command("key", "floor", "2")
    assert jwt.get_unverified_header(before)["kid"] not in keys_at(
        f"{server.public}/v1/sessionCookiePublicKeys")


# --- OpenID Connect ------------------------------------------------------------------------------------------------


def test_any_openid_library_finds_the_keys_of_a_project_with_our_own_issuer(homing):
    project = homing.project("own-issuer", settings={"idToken.issuer": "own"})
    issuer = f"{homing.public}/own-issuer"
    person = project.sign_up()
    token = person["idToken"]
    assert tokens.read(token.split(".")[1])["iss"] == issuer
    found = requests.get(f"{issuer}/.well-known/openid-configuration", timeout=30).json()
    assert found["issuer"] == issuer
    assert verified(token, keys_at(found["jwks_uri"]), audience="own-issuer", issuer=issuer)["sub"] == person["localId"]
    assert {"RS256", "ES256"} == set(found["id_token_signing_alg_values_supported"])
    assert found["subject_types_supported"] == ["public"] and found["response_types_supported"] == ["id_token"]

    session = cookie(project, token).json()["sessionCookie"]
    found = requests.get(f"{issuer}/session/.well-known/openid-configuration", timeout=30).json()
    assert verified(session, keys_at(found["jwks_uri"]), audience="own-issuer", issuer=found["issuer"])
    assert found["issuer"] == f"{issuer}/session"


def test_the_manuals_lines_for_python_believe_this_projects_tokens_only(homing):
    project = homing.project("own-in-python", settings={"idToken.issuer": "own"})
    other = homing.project("other-in-python", settings={"idToken.issuer": "own"})
    [lines] = blocks("python")
    lines = changed(lines, ('"https://auth.example.com/shop", "shop"', f'"{homing.public}/own-in-python", "own-in-python"'))

    def claims_of(token):
        names = {"jwt": jwt, "requests": requests, "token": token}
        exec(lines, names)
        return names["claims"]

    person = project.sign_up()
    assert claims_of(person["idToken"])["sub"] == person["localId"]
    header, payload, signature = person["idToken"].split(".")
    unsigned = f"{tokens.part(tokens.read(header) | {'alg': 'none'})}.{payload}."
    edited = f"{header}.{tokens.part(tokens.read(payload) | {'sub': 'somebody-else'})}.{signature}"
    session = cookie(project, person["idToken"]).json()["sessionCookie"]
    for token in (unsigned, edited, other.sign_up()["idToken"], session, "a.b.c"):
        with pytest.raises(jwt.PyJWTError):
            claims_of(token)


def test_a_change_of_the_issuer_signs_nobody_out(homing):
    project = homing.project("changed-issuer")
    person = project.sign_up()
    for choice in ("own", "firebase"):
        homing.command("project", "set", "changed-issuer", "idToken.issuer", choice)
        assert project.post("lookup", {"idToken": person["idToken"]}).status_code == 200
        person["idToken"] = project.refresh(person["refreshToken"]).json()["id_token"]


def test_scripts_of_other_sites_may_read_the_discovery_document(homing, project):
    answer = requests.get(
        f"{homing.public}/{project.identifier}/.well-known/openid-configuration",
        headers={"Origin": "https://app.example"}, timeout=30)
    assert answer.status_code == 200 and answer.headers["Access-Control-Allow-Origin"] == "https://app.example"
    assert answer.json()["issuer"] == f"https://securetoken.google.com/{project.identifier}"


@pytest.mark.parametrize("path", [
    "/nobody/.well-known/openid-configuration", "/.well-known/openid-configuration",
    "/{}/x/.well-known/openid-configuration", "/{}/session/x/.well-known/openid-configuration",
    "//.well-known/openid-configuration", "/%00/.well-known/openid-configuration"])
def test_there_is_no_discovery_document_of_nothing(homing, project, path):
    answer = requests.get(homing.public + path.format(project.identifier), timeout=30)
    assert answer.status_code == 404, json.dumps(answer.text)

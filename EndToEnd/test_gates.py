# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""nginx and Envoy in front of a back end, with the lines of docs/verifying.md: whom they let pass, and as whom."""

import os
import posixpath
import time
import urllib.parse

import pytest
import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWK
from world import tokens
from world.certificates import Authority
from world.front import Front
from world.gates import GATES, BackEnd, EnvoyGate
from world.tokens import KeySet, hs256, made, new_rsa_key, public_jwk, rs256
from world.waiting import until


@pytest.fixture(scope="module", params=GATES)
def kind(request):
    return GATES[request.param]


@pytest.fixture(scope="module")
def stand():
    """Puts a gate in front of a back end of its own: `stand(kind, key_set, project, …)`."""
    standing = []

    def start(kind, *arguments, **more):
        back_end = BackEnd()
        gate = kind(back_end)
        standing.extend((gate, back_end))
        return gate.start(*arguments, **more)

    yield start
    for one in standing:
        one.stop()


@pytest.fixture(scope="module")
def gate(stand, kind, homing, project):
    """It asks for ID tokens of the project."""
    return stand(kind, jwks(homing), project.identifier)


@pytest.fixture(scope="module")
def cookie_gate(stand, kind, homing, project):
    """It asks for session cookies of the project."""
    issuer = f"https://session.firebase.google.com/{project.identifier}"
    url = f"{homing.public}/v1/sessionCookiePublicKeys"
    return stand(kind, url, project.identifier, issuer=issuer, takes_cookies=True)


@pytest.fixture(scope="module")
def key_set():
    keys = KeySet("lighthouse").start()
    yield keys
    keys.stop()


@pytest.fixture(scope="module")
def gate_of_key_set(stand, kind, key_set):
    """It asks for ID tokens that are signed with a key of the test's own."""
    return stand(kind, key_set.url, "lighthouse")


@pytest.fixture(scope="module")
def reader(project):
    return project.sign_up()


@pytest.fixture(scope="module")
def cookie(project, reader):
    return new_cookie(project, reader["idToken"])


def jwks(homing):
    return f"{homing.public}/.well-known/jwks.json"


def new_cookie(project, id_token):
    homing = project.homing
    answer = requests.post(
        f"{homing.admin}/v1/projects/{project.identifier}:createSessionCookie",
        json={"idToken": id_token},
        headers={"Authorization": f"Bearer {homing.admin_key}"},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    homing.keep_secret(answer.json()["sessionCookie"])
    return answer.json()["sessionCookie"]


def bearer(token):
    return f"Authorization: Bearer {token}"


def in_cookie(token):
    return f"Cookie: theme=dark; __Host-session={token}; language=en"


def believed_as(asked):
    """As whom a back end takes a request; it tells no `X_User_Id` from `X-User-Id`, as many cannot."""
    return [text for name, text in asked["headers"] if name.strip().lower().replace("_", "-") == "x-user-id"]


def passes(gate, *headers, account, **more):
    status, asked = gate.ask(*headers, **more)
    assert status == 200 and asked, f"{status}\n{gate.log()}"
    assert believed_as(asked) == [account], asked
    return asked


def is_turned_away(gate, *headers, status=401, **more):
    assert gate.ask(*headers, **more) == (status, None), headers


# --- good tokens and cookies ---------------------------------------------------------------------------------------


def test_a_good_token_passes_and_the_back_end_learns_whose_it_is(gate, project, reader):
    passes(gate, bearer(reader["idToken"]), account=reader["localId"])
    refreshed = project.refresh(reader["refreshToken"]).json()["id_token"]
    other = project.sign_up()
    passes(gate, bearer(refreshed), account=reader["localId"])
    passes(gate, bearer(other["idToken"]), account=other["localId"])


def test_so_does_one_that_is_signed_on_a_curve(stand, kind, homing):
    curved = homing.project(f"curved-{kind.__name__.lower()}", settings={"idToken.algorithm": "ES256"})
    reader = curved.sign_up()
    passes(stand(kind, jwks(homing), curved.identifier), bearer(reader["idToken"]), account=reader["localId"])


def test_so_do_tokens_and_cookies_with_the_projects_own_issuer_each_at_its_own_gate(stand, kind, homing):
    own = homing.project(f"own-{kind.__name__.lower()}", settings={"idToken.issuer": "own"})
    issuer = f"{homing.public}/{own.identifier}"
    reader = own.sign_up()
    cookie = new_cookie(own, reader["idToken"])
    gate = stand(kind, jwks(homing), own.identifier, issuer=issuer)
    passes(gate, bearer(reader["idToken"]), account=reader["localId"])
    is_turned_away(gate, bearer(cookie))
    url = f"{homing.public}/v1/sessionCookiePublicKeys"
    gate = stand(kind, url, own.identifier, issuer=f"{issuer}/session", takes_cookies=True)
    passes(gate, in_cookie(cookie), account=reader["localId"])
    is_turned_away(gate, in_cookie(reader["idToken"]))


def test_a_good_cookie_passes_wherever_it_stands_among_others(cookie_gate, cookie, reader):
    mine = f"__Host-session={cookie}"
    for text in (mine, f"a=b; {mine}", f"{mine}; a=b", f"x__Host-session=none; {mine}; y=z"):
        passes(cookie_gate, f"Cookie: {text}", account=reader["localId"])


# --- everything else -----------------------------------------------------------------------------------------------


def test_without_a_token_nobody_passes(gate, reader):
    token = reader["idToken"]
    for headers in (
        (), ("Authorization:",), ("Authorization: Bearer",), ("Authorization: Bearer ",), (f"Authorization: {token}",),
        (f"Authorization: Basic {token}",), ("Authorization: Bearer null",), ("Authorization: Bearer a.b.c",),
        (bearer(reader["refreshToken"]),), (f"Cookie: __Host-session={token}",), (f"X-Authorization: Bearer {token}",),
    ):  # fmt: skip
        is_turned_away(gate, *headers)
    for method in ("POST", "OPTIONS", "DELETE"):
        is_turned_away(gate, method=method)
    for parameter in ("access_token", "token", "id_token"):
        is_turned_away(gate, path=f"/letters?{parameter}={token}")


def forgeries(token, jwk, kid):
    """Tokens that say what a good one says, and that nobody has signed who may."""
    header, payload, signature = token.split(".")
    header, claims = tokens.read(header), tokens.read(payload)
    for name in ("none", "None", "NONE", ""):
        unsigned = f"{tokens.part(header | {'alg': name})}.{payload}"
        yield from (f"{unsigned}.", unsigned, f"{unsigned}.{signature}")
    key = new_rsa_key()
    own = public_jwk(key, "RS256", "of the forger")
    for more in ({}, {"kid": own["kid"]}, {"jwk": own}, {"jwk": own, "kid": own["kid"]}, {"kid": kid}):
        yield made(header | more, claims, rs256(key))
    public = PyJWK(jwk).key
    for secret in (
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).strip(),
        public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        jwk["n"].encode(),
        b"",
    ):
        yield made(header | {"alg": "HS256"}, claims, hs256(secret))
    for change in ({"sub": "somebody-else"}, {"exp": claims["exp"] + 1}):
        yield f"{tokens.part(header)}.{tokens.part(claims | change)}.{signature}"


def published(url):
    """The first RSA key of a set, and the name of the last key."""
    keys = requests.get(url, timeout=30).json()["keys"]
    return next(key for key in keys if key["alg"] == "RS256"), keys[-1]["kid"]


def test_a_forged_token_does_not_pass(gate, homing, reader):
    for token in forgeries(reader["idToken"], *published(jwks(homing))):
        is_turned_away(gate, bearer(token))


def test_a_forged_cookie_does_not_pass(cookie_gate, homing, cookie):
    for token in forgeries(cookie, *published(f"{homing.public}/v1/sessionCookiePublicKeys")):
        is_turned_away(cookie_gate, in_cookie(token))
    is_turned_away(cookie_gate)


def test_an_expired_token_does_not_pass_nor_one_that_never_ends(gate_of_key_set, key_set):
    now = int(time.time())
    passes(gate_of_key_set, bearer(key_set.token()), account="keeper-of-skarv")
    for end in (now - 90, now - 90_000, None):
        is_turned_away(gate_of_key_set, bearer(key_set.token(exp=end)))


def test_another_projects_token_or_cookie_does_not_pass(gate, cookie_gate, gate_of_key_set, homing, kind, key_set):
    other = homing.project(f"other-{kind.__name__.lower()}")
    token = other.sign_up()["idToken"]
    is_turned_away(gate, bearer(token))
    is_turned_away(cookie_gate, in_cookie(new_cookie(other, token)))
    google = "https://securetoken.google.com"
    for issuer in (f"{google}/other", f"{google}/", f"{google}/lighthouse/", None):
        is_turned_away(gate_of_key_set, bearer(key_set.token(iss=issuer)))
    for audience in ("other", "light", "", None):
        is_turned_away(gate_of_key_set, bearer(key_set.token(aud=audience)), status=kind.other_audience)


def test_a_cookie_is_no_token_and_a_token_no_cookie(gate, cookie_gate, reader, cookie):
    is_turned_away(gate, bearer(cookie))
    is_turned_away(gate, in_cookie(cookie))
    is_turned_away(cookie_gate, in_cookie(reader["idToken"]))
    is_turned_away(cookie_gate, bearer(reader["idToken"]))
    is_turned_away(cookie_gate, bearer(cookie))


def test_a_token_of_nobody_passes_as_nobody_if_at_all(gate_of_key_set, key_set):
    for nobody in (None, ""):
        status, asked = gate_of_key_set.ask(bearer(key_set.token(sub=nobody)), "X-User-Id: victim")
        # Envoy looks at no `sub`: the manual tells back ends to want the header.
        assert (status, asked) == (401, None) or not "".join(believed_as(asked))


def test_a_tenants_person_with_the_id_of_somebody_else_passes_at_the_tenants_gate_only(
    stand, kind, gate_of_key_set, key_set
):
    of_tenant = stand(kind, key_set.url, "lighthouse", tenant="islands-1")
    theirs = bearer(key_set.token(firebase={"tenant": "islands-1", "identities": {}}))
    passes(of_tenant, theirs, account="keeper-of-skarv")
    passes(gate_of_key_set, bearer(key_set.token(firebase={"identities": {}})), account="keeper-of-skarv")
    for gate, others in (
        (gate_of_key_set, ("islands-1", "islands-2", "", 1, {})),
        (of_tenant, (None, "islands-2", "islands-1 ", "", 1, {}, ["islands-1"])),
    ):
        for other in others:
            token = key_set.token(firebase={} if other is None else {"tenant": other})
            is_turned_away(gate, bearer(token), status=kind.other_tenant)
    is_turned_away(of_tenant, bearer(key_set.token()), status=kind.other_tenant)
    assert of_tenant.ask(path="/public/prices")[0] == 200


# --- what callers say of themselves --------------------------------------------------------------------------------

CLAIMS_OF_CALLERS = [
    ("X-User-Id: victim",),
    ("x-user-id: victim",),
    ("X-USER-ID: victim",),
    ("X-User-Id: victim", "X-User-Id: victim"),
    ("X-User-Id:", "X-User-Id: victim"),
    ("X_User_Id: victim",),
    ("x_user_id: victim",),
    ("X-User_Id: victim",),
    ("X-User-Id : victim",),
    ("X-User-Id\t: victim",),
    ("Accept: */*", " X-User-Id: victim"),
    ("X-User-Id: victim", "Connection: X-User-Id"),
    ("Connection: X-User-Id",),
]


@pytest.mark.parametrize("claimed", CLAIMS_OF_CALLERS, ids=" and ".join)
def test_whom_a_caller_claims_to_be_is_believed_by_nobody(gate, cookie_gate, reader, cookie, claimed):
    for asked_for, proof in ((gate, bearer(reader["idToken"])), (cookie_gate, in_cookie(cookie))):
        for headers in ((*claimed, proof), (proof, *claimed)):
            status, asked = asked_for.ask(*headers)
            assert (status, asked) == (400, None) or (status, believed_as(asked)) == (200, [reader["localId"]])
        # With no proof it is no help.
        status, asked = asked_for.ask(*claimed)
        assert status in (400, 401) and asked is None
        # Where no token is asked for, the request is nobody's.
        for headers in (claimed, (*claimed, proof)):
            status, asked = asked_for.ask(*headers, path="/public/prices")
            assert (status, asked) == (400, None) or (status, believed_as(asked)) == (200, [])


def test_of_two_tokens_a_bad_one_is_never_believed(gate, cookie_gate, reader, cookie):
    for asked_for, good, write in ((gate, reader["idToken"], bearer), (cookie_gate, cookie, in_cookie)):
        header, payload, signature = good.split(".")
        claims = tokens.part(tokens.read(payload) | {"sub": "victim"})
        forged = f"{header}.{claims}.{signature}"
        for pair in ((good, forged), (forged, good)):
            status, asked = asked_for.ask(*map(write, pair))
            assert asked is None and status in (400, 401) or believed_as(asked) == [reader["localId"]]
        status, asked = asked_for.ask(write(forged), write(forged))
        assert asked is None and status in (400, 401)


# --- where no token is asked for -----------------------------------------------------------------------------------


def test_public_pages_need_no_token_and_are_asked_for_by_nobody(gate, cookie_gate, reader, cookie):
    for asked_for in (gate, cookie_gate):
        for headers in ((), (bearer(reader["idToken"]),), (bearer("a.b.c"),), (in_cookie(cookie),)):
            status, asked = asked_for.ask(*headers, path="/public/prices?of=letters")
            assert (status, asked["path"], believed_as(asked)) == (200, "/public/prices?of=letters", [])


@pytest.mark.parametrize(
    "path",
    [
        "/public", "/publicity/", "/Public/", "/%70rivate/", "/public/../letters", "/public/./../letters",
        "/public/%2e%2e/letters", "/public/%2E./letters", "/public/..%2fletters", "/public%2f..%2fletters",
        "/public//../../letters", "//public/../letters", "/letters?/public/", "/letters#/public/", "/letters;/public/",
    ],
)  # fmt: skip
def test_no_way_of_writing_a_path_makes_a_page_public(gate, path):
    status, asked = gate.ask(path=path)
    if asked:
        # Whatever passes is below /public/ by whoever resolves it, and nobody's.
        asked_for = urllib.parse.unquote(urllib.parse.urlsplit(asked["path"]).path)
        assert posixpath.normpath(asked_for).startswith("/public/") and believed_as(asked) == []
    else:
        assert status in (301, 307, 400, 401, 404)


# --- keys and bodies -----------------------------------------------------------------------------------------------


def test_while_the_keys_are_away_nobody_passes(stand, kind):
    keys = KeySet("lighthouse").start()
    try:
        gate = stand(kind, keys.url, "lighthouse")
        for answer in ((500, "no"), (404, "{}"), (200, "ok\n"), (200, '{"keys":[]}')):
            keys.answer = answer
            status, asked = gate.ask(bearer(keys.token()))
            assert asked is None and status in (401, kind.keys_are_away), (answer, status)
            assert gate.ask(path="/public/")[0] == 200
        keys.answer = None
    finally:
        keys.stop()
    is_turned_away(stand(kind, keys.url, "lighthouse"), bearer(keys.token()), status=kind.keys_are_away)


def test_keys_that_are_known_stay_known_while_nobody_tells_them(stand, kind):
    keys = KeySet("lighthouse").start()
    try:
        gate = stand(kind, keys.url, "lighthouse")
        passes(gate, bearer(keys.token()), account="keeper-of-skarv")
        keys.answer = (500, "no")
        passes(gate, bearer(keys.token()), account="keeper-of-skarv")
    finally:
        keys.stop()


def test_envoy_lets_good_tokens_pass_as_soon_as_the_keys_are_there_again(stand):
    """With nginx it takes the minute in which the sample asks once."""
    keys = KeySet("lighthouse").start()
    try:
        gate = stand(EnvoyGate, keys.url, "lighthouse")
        keys.answer = (500, "no")
        is_turned_away(gate, bearer(keys.token()), status=EnvoyGate.keys_are_away)
        keys.answer = None
        until(lambda: gate.ask(bearer(keys.token()))[0] == 200, "a good token passes again", 90)
    finally:
        keys.stop()


def test_the_body_of_a_request_stays_whole(gate, cookie_gate, reader, cookie):
    for asked_for, proof in ((gate, bearer(reader["idToken"])), (cookie_gate, in_cookie(cookie))):
        for body in (b"{}", b"GET /public/ HTTP/1.1\r\nHost: www.shop.example\r\n\r\n", os.urandom(300_000)):
            asked = passes(asked_for, proof, account=reader["localId"], method="POST", body=body)
            assert asked["body"] == body
            is_turned_away(asked_for, method="POST", body=body)


# --- Envoy's keys over TLS -----------------------------------------------------------------------------------------


def test_envoy_believes_keys_of_the_host_that_is_named_only(stand, homing, project, reader, tmp_path):
    authority = Authority(tmp_path)
    for name, is_named in (("auth.example.com", True), ("evil.example.com", False)):
        front = Front(homing.public, "auth.example.com")
        try:
            front.start(*authority.issue(name, hosts=(f"DNS:{name}",)))
            url = f"https://127.0.0.1:{front.port}/.well-known/jwks.json"
            gate = stand(EnvoyGate, url, project.identifier, authority=authority.certificate)
            if is_named:
                passes(gate, bearer(reader["idToken"]), account=reader["localId"])
            else:
                is_turned_away(gate, bearer(reader["idToken"]))
        finally:
            front.remove()

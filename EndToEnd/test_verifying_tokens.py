# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How back ends verify ID tokens: the recipes of Samples/VerifyingTokens, with real tokens and with forged ones."""

import json
import os
import re
import time

import pytest
import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWK
from world import recipes, tokens
from world.project import new_address
from world.tokens import KeySet, es256, hs256, made, new_ec_key, new_rsa_key, ps256, public_jwk, rs256, rs512

pytestmark = pytest.mark.release


@pytest.fixture(scope="module", params=["Python", "Node", "Go", "Swift"])
def recipe(request, tmp_path_factory):
    recipe = recipes.recipe(request.param, tmp_path_factory.mktemp("recipe"), again=True)
    yield recipe
    recipe.stop()


@pytest.fixture(params=["Python", "Node"])
def command(request, tmp_path):
    """The command in an interpreter of its own, as somebody at a terminal has it."""
    return recipes.recipe(request.param, tmp_path)


@pytest.fixture(scope="module")
def jwks(homing):
    """Where the server publishes its keys."""
    return f"{homing.public}/.well-known/jwks.json"


@pytest.fixture(scope="module")
def reader(project):
    """A person who has signed in: the answer with the token."""
    return project.sign_up()


@pytest.fixture(scope="module")
def published(jwks):
    """The server's keys by algorithm."""
    return {key["alg"]: key for key in requests.get(jwks, timeout=30).json()["keys"]}


@pytest.fixture
def key_set():
    keys = KeySet("lighthouse").start()
    yield keys
    keys.stop()


# --- the server's own tokens ---------------------------------------------------------------------------------------


def test_the_token_of_a_signed_in_person_is_believed(recipe, jwks, project, reader):
    assert recipe.believed(jwks, project.identifier, reader["idToken"]) == reader["localId"]
    refreshed = project.refresh(reader["refreshToken"]).json()["id_token"]
    assert recipe.believed(jwks, project.identifier, refreshed) == reader["localId"]


@pytest.fixture(scope="module")
def curved(homing):
    """A project whose tokens are signed with ES256."""
    return homing.project("curved", settings={"idToken.algorithm": "ES256"})


def test_somebody_at_a_terminal_sees_the_same(command, jwks, project, reader):
    assert command.believed(jwks, project.identifier, reader["idToken"]) == reader["localId"]
    command.refused(jwks, "other", reader["idToken"])
    command.refused(jwks, project.identifier, b"\xff\n")
    done = command.run(given=b"")
    assert done.returncode in (1, 2) and done.stderr.startswith(b"usage: ") and not done.stdout


def test_so_is_one_that_is_signed_on_a_curve(recipe, jwks, curved):
    reader = curved.sign_up()
    assert recipe.believed(jwks, "curved", reader["idToken"]) == reader["localId"]


def test_a_token_of_another_project_is_refused(recipe, jwks, project, curved, reader):
    assert re.search("iss|aud", recipe.refused(jwks, "curved", reader["idToken"]))
    assert re.search("iss|aud", recipe.refused(jwks, project.identifier, curved.sign_up()["idToken"]))


def test_an_unsigned_token_is_refused_whatever_stands_where_the_signature_was(recipe, jwks, project, reader):
    header, payload, signature = reader["idToken"].split(".")
    for name in ("none", "None", "NONE", "nOnE", "", None):
        for unsigned in (tokens.read(header) | {"alg": name}, {"alg": name, "typ": "JWT"}):
            text = f"{tokens.part(unsigned)}.{payload}"
            for token in (f"{text}.", text, f"{text}.{signature}"):
                recipe.refused(jwks, project.identifier, token)


def test_the_public_key_is_no_password_for_hs256(recipe, jwks, project, reader, published):
    header, payload, _ = reader["idToken"].split(".")
    header, claims = tokens.read(header) | {"alg": "HS256"}, tokens.read(payload)
    jwk = published["RS256"]
    key = PyJWK(jwk).key
    secrets = [
        key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).strip(),
        key.public_bytes(Encoding.PEM, PublicFormat.PKCS1),
        key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        jwk["n"].encode(),
        json.dumps(jwk, separators=(",", ":")).encode(),
        b"",
    ]
    for secret in secrets:
        recipe.refused(jwks, project.identifier, made(header, claims, hs256(secret)))


def test_a_changed_payload_does_not_go_with_the_old_signature(recipe, jwks, project, reader):
    header, payload, signature = reader["idToken"].split(".")
    claims = tokens.read(payload)
    for change in ({"sub": "somebody-else"}, {"admin": True}, {"exp": claims["exp"] + 1}):
        recipe.refused(jwks, project.identifier, f"{header}.{tokens.part(claims | change)}.{signature}")
    recipe.refused(jwks, project.identifier, f"{header}.{tokens.part(claims)}.{signature}")


def test_the_signature_of_another_token_does_not_fit(recipe, jwks, project, reader):
    other = project.sign_up()["idToken"]
    recipe.refused(jwks, project.identifier, reader["idToken"].rpartition(".")[0] + "." + other.rpartition(".")[2])


def test_a_forgers_key_is_not_believed_under_any_name(recipe, jwks, project, reader, published):
    header, payload, _ = reader["idToken"].split(".")
    header, claims = tokens.read(header), tokens.read(payload)
    key, curve = new_rsa_key(), new_ec_key()
    own = public_jwk(key, "RS256", "of the forger")
    # With the server's kid, with a kid of its own, and with itself in the header.
    for more in ({}, {"kid": own["kid"]}, {"jwk": own}, {"jwk": own, "kid": own["kid"]}):
        recipe.refused(jwks, project.identifier, made(header | more, claims, rs256(key)))
    for kid in (published["RS256"]["kid"], published["ES256"]["kid"]):
        recipe.refused(jwks, project.identifier, made({"alg": "ES256", "kid": kid}, claims, es256(curve)))
        recipe.refused(jwks, project.identifier, made({"alg": "RS256", "kid": kid}, claims, rs256(key)))


def test_another_kid_or_algorithm_is_not_taken_with_the_old_signature(recipe, jwks, project, reader, published):
    header, payload, signature = reader["idToken"].split(".")
    header = tokens.read(header)
    for change in ({"kid": "unknown"}, {"kid": published["ES256"]["kid"]}, {"alg": "ES256"}, {"alg": "PS256"}):
        recipe.refused(jwks, project.identifier, f"{tokens.part(header | change)}.{payload}.{signature}")


def test_what_is_no_token_is_refused_in_one_line(recipe, jwks, project, reader):
    header, payload, signature = reader["idToken"].split(".")
    garbage = [
        "", " ", ".", "..", "...", "a.b.c", "null", "{}", "Bearer", f"Bearer {reader['idToken']}",
        header, f"{header}.{payload}", f"{header}.{payload}.{signature}.", f".{reader['idToken']}",
        f"{header}.{payload}.{signature[:-8]}", f"{header}..{signature}", f".{payload}.{signature}",
        reader["refreshToken"], "ä.ö.ü", "e30.e30.e30", "bnVsbA.bnVsbA.bnVsbA", "W10.W10.W10", "A" * 100_000,
    ]  # fmt: skip
    for token in garbage:
        recipe.refused(jwks, project.identifier, token)
    for token in (b"", b"\n", b"\x00\xff\xfe.\xff.\xff\n", os.urandom(500).replace(b"\n", b"")):
        recipe.refused(jwks, project.identifier, token)


def test_an_ended_sessions_token_is_believed_for_its_hour_and_lookup_knows_better(recipe, jwks, project):
    reader = project.sign_up(new_address("ended"))
    issued = tokens.read(reader["idToken"].split(".")[1])["iat"]
    # The next second: validSince has no fractions.
    time.sleep(issued + 1.1 - time.time())
    _, code = project.link("PASSWORD_RESET", reader["email"])
    project.ask("resetPassword", {"oobCode": code, "newPassword": "a new one 4"})
    assert recipe.believed(jwks, project.identifier, reader["idToken"]) == reader["localId"]
    # The two ways of docs/verifying.md to know that it is over.
    assert project.refused("lookup", {"idToken": reader["idToken"]}) == "TOKEN_EXPIRED"
    [user] = project.admin_ask(":lookup", {"localId": [reader["localId"]]})["users"]
    assert int(user["validSince"]) > issued


# --- session cookies -----------------------------------------------------------------------------------------------


def test_a_session_cookie_is_believed_by_its_own_keys_and_issuer_only(recipe, homing, jwks, project, reader):
    cookie = requests.post(
        f"{homing.admin}/v1/projects/{project.identifier}:createSessionCookie",
        json={"idToken": reader["idToken"]},
        headers={"Authorization": f"Bearer {homing.admin_key}"},
        timeout=30,
    ).json()["sessionCookie"]
    homing.keep_secret(cookie)
    url, issuer = f"{homing.public}/v1/sessionCookiePublicKeys", "https://session.firebase.google.com"
    mine = f"{issuer}/{project.identifier}"
    assert recipe.believed(url, project.identifier, cookie, mine) == reader["localId"]
    for keys, *of in ((url,), (url, f"{issuer}/other"), (url, issuer), (jwks, mine), (jwks,)):
        recipe.refused(keys, project.identifier, cookie, *of)
    for keys, *of in ((url,), (url, mine), (jwks, mine)):
        recipe.refused(keys, project.identifier, reader["idToken"], *of)
    header, payload, signature = cookie.split(".")
    for forged in (
        f"{tokens.part({'alg': 'none', 'typ': 'JWT'})}.{payload}.",
        f"{header}.{tokens.part(tokens.read(payload) | {'sub': 'somebody-else'})}.{signature}",
    ):
        recipe.refused(url, project.identifier, forged, mine)


# --- the rules, with a key set of our own --------------------------------------------------------------------------


def test_a_token_that_follows_every_rule_is_believed(recipe, key_set):
    for alg in ("RS256", "ES256"):
        assert recipe.believed(key_set.url, "lighthouse", key_set.token(alg)) == "keeper-of-skarv"


ISSUER = "https://securetoken.google.com/"


@pytest.mark.parametrize(
    "claim, values",
    [
        ("iss", [f"{ISSUER}other", ISSUER, f"{ISSUER}lighthouse/", f"{ISSUER}light", "lighthouse", 1, None]),
        ("aud", ["other", "", "light", ["lighthouse"], ["other", "lighthouse"], None]),
        ("sub", ["", 12, None]),
    ],
    ids=["iss", "aud", "sub"],
)
def test_a_token_of_somebody_else_or_of_nobody_is_refused(recipe, key_set, claim, values):
    for value in values:
        reason = recipe.refused(key_set.url, "lighthouse", key_set.token(**{claim: value}))
        # PyJWT's words for a list of audiences name no claim.
        assert claim in reason.lower() or "Invalid claim format" in reason


@pytest.mark.parametrize(
    "claim, bad, good", [("exp", -90, -30), ("iat", 90, 30), ("auth_time", 90, 30)], ids=["exp", "iat", "auth_time"]
)
def test_times_are_kept_to_with_a_minute_of_patience(recipe, key_set, claim, bad, good):
    now = time.time()
    for value in (int(now + bad), None, "text"):
        assert claim in recipe.refused(key_set.url, "lighthouse", key_set.token(**{claim: value}))
    assert recipe.believed(key_set.url, "lighthouse", key_set.token(**{claim: int(now + good)}))


def test_a_tenants_token_is_good_for_its_tenant_only(recipe, key_set):
    project, tenant = "lighthouse", "lighthouse/islands-1"
    assert recipe.believed(key_set.url, tenant, key_set.token(firebase={"tenant": "islands-1"})) == "keeper-of-skarv"
    assert recipe.believed(key_set.url, project, key_set.token(firebase={"identities": {}})) == "keeper-of-skarv"
    # Without `tenant` a back end took a tenant's person for the project's own with the same id.
    for other in ("islands-1", "islands-2", "", 1, {}):
        recipe.refused(key_set.url, project, key_set.token(firebase={"tenant": other}))
    for firebase in (None, {}, {"tenant": None}, {"tenant": "islands-2"}, {"tenant": ""}, {"tenant": ["islands-1"]}, []):
        recipe.refused(key_set.url, tenant, key_set.token(firebase=firebase))


def test_the_servers_tokens_of_a_tenant_say_which(recipe, jwks, homing):
    divided = homing.project(f"divided-{recipe.language.lower()}")
    tenant = "islands"
    homing.command("tenant", "create", divided.identifier, "--id", tenant, "--set", "allowPasswordSignup=true")
    account = {"email": new_address(), "password": "a long one 7", "returnSecureToken": True}
    reader = divided.ask("signUp", account | {"tenantId": tenant})
    recipe.refused(jwks, divided.identifier, reader["idToken"])
    assert recipe.believed(jwks, f"{divided.identifier}/{tenant}", reader["idToken"]) == reader["localId"]
    recipe.refused(jwks, f"{divided.identifier}/{tenant}", divided.sign_up()["idToken"])


def test_a_key_is_good_for_its_own_algorithm_only(recipe, key_set):
    rsa, curve, pss = key_set.rsa, key_set.ec, key_set.pss
    forged = [
        # Signed well by the key that is named, in a way that is not the key's.
        key_set.token("RS512", "the RSA key", rs512(rsa)),
        key_set.token("PS256", "the RSA key", ps256(rsa)),
        key_set.token("RS256", "the PSS key", rs256(pss)),
        key_set.token("RS256", "the EC key", es256(curve)),
        key_set.token("ES256", "the RSA key", rs256(rsa)),
        # Signed well by another key of the set.
        key_set.token("ES256", "the RSA key", es256(curve)),
        key_set.token("RS256", "the EC key", rs256(rsa)),
        # Neither RS256 nor ES256, though the key and the token agree.
        key_set.token("PS256", "the PSS key", ps256(pss)),
        key_set.token("PS256", "the PSS key", rs256(pss)),
    ]
    for token in forged:
        recipe.refused(key_set.url, "lighthouse", token)


def test_a_good_signature_of_a_key_that_is_not_named_is_refused(recipe, key_set):
    claims = key_set.claims()
    recipe.refused(key_set.url, "lighthouse", key_set.token(kid="unknown"))
    assert key_set.times_asked == 1
    for header in ({"alg": "RS256"}, {"alg": "RS256", "kid": ""}, {"alg": "RS256", "kid": None}):
        recipe.refused(key_set.url, "lighthouse", made(header, claims, rs256(key_set.rsa)))


def test_without_a_key_set_nothing_is_believed(recipe, key_set):
    token = key_set.token()
    for answer in ((404, "{}"), (500, json.dumps({"keys": key_set.keys})), (200, "ok\n"), (200, '{"keys":[]}')):
        key_set.answer = answer
        recipe.refused(key_set.url, "lighthouse", token)
    key_set.answer = None
    assert recipe.believed(key_set.url, "lighthouse", token)
    recipe.refused("http://127.0.0.1:1/", "lighthouse", token)


# --- how long a key set is kept ------------------------------------------------------------------------------------

GOOD, UNKNOWN = True, False
#: At which second which token comes, and how often the set has been fetched by then.
HOURS = [
    (1000, GOOD, 1),
    (1059, UNKNOWN, 1),
    (1061, UNKNOWN, 2),
    (1062, UNKNOWN, 2),
    (1120, GOOD, 2),
    (1122, UNKNOWN, 3),
    (4721, GOOD, 3),
    (4723, GOOD, 4),
]

IN_NODE = """
const [url, path, ...comings] = process.argv.slice(1)
const { idTokenVerifier } = await import(path)
const verifyIDToken = idTokenVerifier(url, 'lighthouse')
const realFetch = fetch
let second, fetches = 0
Object.defineProperty(performance, 'now', { value: () => second * 1000 })
globalThis.fetch = (...all) => { fetches += 1; return realFetch(...all) }
for (const coming of comings) {
  const [at, token] = coming.split(' ')
  second = Number(at)
  const believed = await verifyIDToken(token).then(() => true, () => false)
  console.log(JSON.stringify([second, believed, fetches]))
}
"""


def test_python_fetches_a_set_for_an_hour_and_for_unknown_names_once_a_minute(key_set, monkeypatch):
    module = recipes.python_module()
    verifier = module.IDTokenVerifier(key_set.url, "lighthouse")
    for second, is_good, fetches in HOURS:
        monkeypatch.setattr(module.time, "monotonic", lambda: second)
        assert is_believed(module, verifier, key_set.token(kid=None if is_good else "unknown")) is is_good
        assert key_set.times_asked == fetches, second


def test_node_fetches_a_set_for_an_hour_and_for_unknown_names_once_a_minute(key_set):
    good, unknown = key_set.token(), key_set.token(kid="unknown")
    comings = [f"{second} {good if is_good else unknown}" for second, is_good, _ in HOURS]
    lines = recipes.in_node(IN_NODE, key_set.url, recipes.NODE, *comings).splitlines()
    assert [tuple(json.loads(line)) for line in lines] == HOURS


def test_a_new_key_is_found_within_a_minute_and_a_withdrawn_one_gone_within_an_hour(key_set, monkeypatch):
    module = recipes.python_module()
    verifier = module.IDTokenVerifier(key_set.url, "lighthouse")
    key = new_rsa_key()
    old, new = key_set.token(), key_set.token(kid="the new key", sign=rs256(key))

    def believes(second, token):
        monkeypatch.setattr(module.time, "monotonic", lambda: second)
        return is_believed(module, verifier, token)

    assert believes(0, old) and not believes(1, new)
    key_set.keys.append(public_jwk(key, "RS256", "the new key"))
    assert not believes(59, new) and believes(61, new) and believes(62, old)
    del key_set.keys[0]
    assert believes(3600, old) and not believes(3662, old) and believes(3663, new)
    # A server that is away takes nothing from what is known.
    key_set.answer = (500, "")
    assert not believes(4000, key_set.token(kid="unknown")) and believes(4001, new)


def is_believed(module, verifier, token):
    try:
        return bool(verifier.verify(token))
    except module.jwt.PyJWTError:
        return False

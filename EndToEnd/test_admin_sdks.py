# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's Admin SDKs outside of emulator mode, with a service account's file and the very lines of docs/admin-sdks.md."""

import json
import os
import re
import subprocess
import sys

import pytest
import requests
from world import tokens
from world.places import NODE_PACKAGES, ROOT
from world.project import PASSWORD, new_address

MANUAL = (ROOT / "docs/admin-sdks.md").read_text()

# What a back end does behind the lines of the manual. `told` has what it is about; its last line tells what it has seen.
PYTHON = """
import json, sys
from firebase_admin import auth
told = json.load(sys.stdin)
seen = {}

def judged(verify, token):
    try:
        return verify(token)["uid"]
    except (auth.InvalidIdTokenError, auth.InvalidSessionCookieError) as refused:
        return type(refused).__name__

seen["verified"] = auth.verify_id_token(told["idToken"], check_revoked=True)["uid"]
seen["forged"] = [judged(auth.verify_id_token, token) for token in told["forged"]]
cookie = auth.create_session_cookie(told["idToken"], expires_in=600)
seen["cookie"] = auth.verify_session_cookie(cookie, check_revoked=True)["uid"]
seen["noCookie"] = judged(auth.verify_session_cookie, told["idToken"])
made = auth.create_user(email=told["address"], password=told["password"])
auth.set_custom_user_claims(made.uid, {"plan": "patron"})
auth.update_user(made.uid, display_name="Ada")
found = auth.get_user_by_email(told["address"])
seen["account"] = [found.display_name, found.custom_claims["plan"]]
seen["listed"] = made.uid in [one.uid for one in auth.list_users().iterate_all()]
seen["link"] = auth.generate_password_reset_link(told["address"])
seen["customToken"] = auth.create_custom_token("bea", {"role": "keeper"}).decode()
from firebase_admin import tenant_mgt
tenant = tenant_mgt.create_tenant(display_name="Acme", allow_password_sign_up=True)
tenant = tenant_mgt.update_tenant(tenant.tenant_id, display_name="Acme2")
people = tenant_mgt.auth_for_tenant(tenant.tenant_id)
guest = people.create_user(email=told["address"], password=told["password"])
seen["tenant"] = [tenant.display_name, people.get_user(guest.uid).tenant_id == tenant.tenant_id]
seen["tenants"] = tenant.tenant_id in [one.tenant_id for one in tenant_mgt.list_tenants().iterate_all()]
tenant_mgt.delete_tenant(tenant.tenant_id)
auth.delete_user(made.uid)
print(json.dumps(seen))
"""

NODE = """
import { getAuth } from "firebase-admin/auth";
import { readFileSync } from "node:fs";
const told = JSON.parse(readFileSync(0)), seen = {}, auth = getAuth();

async function judged(verify) {
  try { return (await verify()).uid; } catch (refused) { return refused.code; }
}

seen.verified = (await auth.verifyIdToken(told.idToken, true)).uid;
seen.forged = [];
for (const token of told.forged) seen.forged.push(await judged(() => auth.verifyIdToken(token)));
const cookie = await auth.createSessionCookie(told.idToken, { expiresIn: 600_000 });
seen.cookie = (await auth.verifySessionCookie(cookie, true)).uid;
seen.noCookie = await judged(() => auth.verifySessionCookie(told.idToken));
const made = await auth.createUser({ email: told.address, password: told.password });
await auth.setCustomUserClaims(made.uid, { plan: "patron" });
await auth.updateUser(made.uid, { displayName: "Ada" });
const found = await auth.getUserByEmail(told.address);
seen.account = [found.displayName, found.customClaims.plan];
seen.listed = (await auth.listUsers()).users.some(one => one.uid === made.uid);
seen.link = await auth.generatePasswordResetLink(told.address);
seen.customToken = await auth.createCustomToken("bea", { role: "keeper" });
const tenants = auth.tenantManager();
let tenant = await tenants.createTenant({ displayName: "Acme", emailSignInConfig: { enabled: true, passwordRequired: true } });
tenant = await tenants.updateTenant(tenant.tenantId, { displayName: "Acme2" });
const people = tenants.authForTenant(tenant.tenantId);
const guest = await people.createUser({ email: told.address, password: told.password });
seen.tenant = [tenant.displayName, (await people.getUser(guest.uid)).tenantId === tenant.tenantId];
seen.tenants = (await tenants.listTenants()).tenants.some(one => one.tenantId === tenant.tenantId);
await tenants.deleteTenant(tenant.tenantId);
await auth.deleteUser(made.uid);
console.log(JSON.stringify(seen));
"""


def lines(language, homing):
    """The manual's lines in a language, about this server."""
    block = re.search(rf"```{language}\n(.*?)```", MANUAL, re.S)[1]
    assert "https://auth.example.com" in block and "http://127.0.0.1:9098" in block
    return block.replace("https://auth.example.com", homing.public).replace("http://127.0.0.1:9098", homing.admin)


def run(command, script, folder, told):
    environment = {name: value for name, value in os.environ.items()
                   if "proxy" not in name.lower() and name != "FIREBASE_AUTH_EMULATOR_HOST"}
    done = subprocess.run([*command, script], cwd=folder, env=environment, input=json.dumps(told), text=True,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def place(homing):
    return homing.project("admin-sdks")


@pytest.fixture(scope="module")
def key(homing, place):
    """A service account's file."""
    return json.loads(homing.command("service-account", "create", place.identifier, "Back end").stdout)


@pytest.fixture
def folder(tmp_path, key):
    (tmp_path / "back-end.json").write_text(json.dumps(key))
    (tmp_path / "node_modules").symlink_to(NODE_PACKAGES)
    return tmp_path


@pytest.mark.parametrize("language", ["python", "js"])
def test_an_admin_sdk_does_its_work_and_checks_signatures(homing, place, folder, language):
    person = place.sign_up()
    header, payload, signature = person["idToken"].split(".")
    claims = tokens.read(payload) | {"admin": True}
    told = {
        "idToken": person["idToken"],
        "address": new_address("admin-sdks"),
        "password": PASSWORD,
        "forged": [
            tokens.made({"alg": "none", "typ": "JWT"}, claims),
            f"{header}.{tokens.part(claims)}.{signature}",
            f"{header}.{payload}.{signature[:-4]}AAAA",
        ],
    }
    script = folder / {"python": "back_end.py", "js": "back-end.mjs"}[language]
    script.write_text(lines(language, homing) + {"python": PYTHON, "js": NODE}[language])
    seen = run({"python": [sys.executable], "js": ["node"]}[language], script, folder, told)
    assert seen["verified"] == seen["cookie"] == person["localId"]
    refusals = {"python": "InvalidIdTokenError", "js": "auth/argument-error"}
    assert seen["forged"] == [refusals[language]] * 3
    assert seen["noCookie"] == {"python": "InvalidSessionCookieError", "js": "auth/argument-error"}[language]
    assert seen["account"] == ["Ada", "patron"] and seen["listed"]
    assert seen["tenant"] == ["Acme2", True] and seen["tenants"]
    assert seen["link"].startswith(f"{homing.public}/__/auth/action?mode=resetPassword")
    came = place.ask("signInWithCustomToken", {"token": seen["customToken"], "returnSecureToken": True})
    assert tokens.read(came["idToken"].split(".")[1])["sub"] == "bea"


def test_the_file_leads_to_the_admin_listener_and_a_limited_one_gets_no_token(homing, place, key):
    assert key["token_uri"] == f"{homing.admin}/token"
    made = homing.command("service-account", "create", place.identifier, "--custom-tokens-only",
                          "--admin-url", "http://10.0.0.5:9098")
    limited = json.loads(made.stdout)
    assert limited["token_uri"] == "http://10.0.0.5:9098/token"
    listed = {one["id"]: one["opensAdmin"] for one in homing.told("service-account", "list", place.identifier)}
    assert listed[key["private_key_id"]] is True and listed[limited["private_key_id"]] is False
    refused = homing.command("service-account", "create", place.identifier, "--admin-url", "10.0.0.5", expect=2)
    assert "--admin-url" in refused.stderr


def test_an_admin_key_does_in_the_place_of_the_file(homing, place, tmp_path):
    """With the line of the manual for Python."""
    assert "google.oauth2.credentials.Credentials(key)" in MANUAL
    script = tmp_path / "back_end.py"
    text = lines("python", homing).replace('credentials.Certificate("back-end.json")', "google.oauth2.credentials.Credentials(key)")
    assert "Credentials(key)" in text
    text = text.replace("firebase_admin.initialize_app(", 'firebase_admin.initialize_app(options={"projectId": told["project"]}, credential=')
    script.write_text(
        "import google.oauth2.credentials, json, sys\ntold = json.load(sys.stdin)\nkey = told['key']\n" + text
        + "\nfrom firebase_admin import auth\nprint(json.dumps(auth.create_user(email=told['address']).email))\n")
    address = new_address("admin-sdks")
    told = {"key": homing.admin_key, "project": place.identifier, "address": address}
    assert run([sys.executable], script, tmp_path, told) == address


def test_python_jose_and_its_like_find_a_key_of_the_right_kind_first(homing):
    """Such verifiers try one key after the other, and fail at one of another kind."""
    for algorithm in ("RS256", "ES256"):
        place = homing.project(f"keys-{algorithm.lower()}", settings={"idToken.algorithm": algorithm})
        found = requests.get(
            f"{homing.public}/{place.identifier}/.well-known/openid-configuration", timeout=30).json()
        keys = requests.get(found["jwks_uri"], timeout=30).json()["keys"]
        assert keys[0]["alg"] == algorithm == found["id_token_signing_alg_values_supported"][0]
    everywhere = requests.get(f"{homing.public}/.well-known/jwks.json", timeout=30).json()["keys"]
    assert [key["alg"] for key in everywhere] == ["RS256", "ES256"]

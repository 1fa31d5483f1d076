# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's Admin SDKs outside of emulator mode, with a service account's file and the very lines of docs/admin-sdks.md."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import requests
from world import tokens
from world.places import GO_MODULE, JAVA_PACKAGES, NODE_PACKAGES, ROOT
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

JAVA = """
import com.google.api.client.http.*;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.firebase.*;
import com.google.firebase.auth.*;
import com.google.firebase.auth.multitenancy.*;
import com.google.gson.*;
import java.io.*;
import java.net.*;
import java.util.*;

public class BackEnd {
  interface Verify { String uid(String token) throws FirebaseAuthException; }

  static String judged(Verify verify, String token) {
    try { return verify.uid(token); } catch (FirebaseAuthException refused) { return refused.getAuthErrorCode().name(); }
  }

  public static void main(String[] arguments) throws Exception {
    JsonObject told = JsonParser.parseReader(new InputStreamReader(System.in)).getAsJsonObject();
    String idToken = told.get("idToken").getAsString(), address = told.get("address").getAsString();
    String password = told.get("password").getAsString();
RECIPE
    FirebaseAuth auth = FirebaseAuth.getInstance();
    Map<String, Object> seen = new HashMap<>();
    seen.put("verified", auth.verifyIdToken(idToken, true).getUid());
    List<String> forged = new ArrayList<>();
    for (JsonElement token : told.getAsJsonArray("forged"))
      forged.add(judged(it -> auth.verifyIdToken(it).getUid(), token.getAsString()));
    seen.put("forged", forged);
    String cookie = auth.createSessionCookie(idToken, SessionCookieOptions.builder().setExpiresIn(600_000).build());
    seen.put("cookie", auth.verifySessionCookie(cookie, true).getUid());
    seen.put("noCookie", judged(it -> auth.verifySessionCookie(it).getUid(), idToken));
    UserRecord made = auth.createUser(new UserRecord.CreateRequest().setEmail(address).setPassword(password));
    auth.setCustomUserClaims(made.getUid(), Map.of("plan", "patron"));
    auth.updateUser(new UserRecord.UpdateRequest(made.getUid()).setDisplayName("Ada"));
    UserRecord found = auth.getUserByEmail(address);
    seen.put("account", List.of(found.getDisplayName(), found.getCustomClaims().get("plan")));
    boolean isListed = false;
    for (ExportedUserRecord one : auth.listUsers(null).iterateAll()) isListed |= one.getUid().equals(made.getUid());
    seen.put("listed", isListed);
    seen.put("link", auth.generatePasswordResetLink(address));
    seen.put("customToken", auth.createCustomToken("bea", Map.of("role", "keeper")));
    TenantManager tenants = auth.getTenantManager();
    Tenant tenant = tenants.createTenant(
        new Tenant.CreateRequest().setDisplayName("Acme").setPasswordSignInAllowed(true));
    tenant = tenants.updateTenant(new Tenant.UpdateRequest(tenant.getTenantId()).setDisplayName("Acme2"));
    TenantAwareFirebaseAuth people = tenants.getAuthForTenant(tenant.getTenantId());
    UserRecord guest = people.createUser(new UserRecord.CreateRequest().setEmail(address).setPassword(password));
    String home = people.getUser(guest.getUid()).getTenantId();
    seen.put("tenant", List.of(tenant.getDisplayName(), tenant.getTenantId().equals(home)));
    boolean isThere = false;
    for (Tenant one : tenants.listTenants(null).iterateAll()) isThere |= one.getTenantId().equals(tenant.getTenantId());
    seen.put("tenants", isThere);
    tenants.deleteTenant(tenant.getTenantId());
    auth.deleteUser(made.getUid());
    System.out.println(new Gson().toJson(seen));
  }
}
"""

GO = """package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"time"

	firebase "firebase.google.com/go/v4"
	"firebase.google.com/go/v4/auth"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/google"
	"google.golang.org/api/option"
)

RECIPE

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	var told struct{ IDToken, Address, Password string }
	if err := json.NewDecoder(os.Stdin).Decode(&told); err != nil {
		panic(err)
	}
	ctx, seen := context.Background(), map[string]any{}
	client := must(must(newApp(ctx)).Auth(ctx))
	seen["madeCookie"] = must(client.SessionCookie(ctx, told.IDToken, 10*time.Minute))
	made := must(client.CreateUser(ctx, (&auth.UserToCreate{}).Email(told.Address).Password(told.Password)))
	if err := client.SetCustomUserClaims(ctx, made.UID, map[string]any{"plan": "patron"}); err != nil {
		panic(err)
	}
	must(client.UpdateUser(ctx, made.UID, (&auth.UserToUpdate{}).DisplayName("Ada")))
	found := must(client.GetUserByEmail(ctx, told.Address))
	seen["account"] = []any{found.DisplayName, found.CustomClaims["plan"]}
	listed, users := false, client.Users(ctx, "")
	for one, err := users.Next(); err == nil; one, err = users.Next() {
		listed = listed || one.UID == made.UID
	}
	seen["listed"] = listed
	seen["link"] = must(client.PasswordResetLink(ctx, told.Address))
	seen["customToken"] = must(client.CustomTokenWithClaims(ctx, "bea", map[string]any{"role": "keeper"}))
	tenant := must(client.TenantManager.CreateTenant(ctx, (&auth.TenantToCreate{}).DisplayName("Acme").AllowPasswordSignUp(true)))
	tenant = must(client.TenantManager.UpdateTenant(ctx, tenant.ID, (&auth.TenantToUpdate{}).DisplayName("Acme2")))
	people := must(client.TenantManager.AuthForTenant(tenant.ID))
	guest := must(people.CreateUser(ctx, (&auth.UserToCreate{}).Email(told.Address).Password(told.Password)))
	seen["tenant"] = []any{tenant.DisplayName, must(people.GetUser(ctx, guest.UID)).TenantID == tenant.ID}
	there, all := false, client.TenantManager.Tenants(ctx, "")
	for one, err := all.Next(); err == nil; one, err = all.Next() {
		there = there || one.ID == tenant.ID
	}
	seen["tenants"] = there
	if err := client.TenantManager.DeleteTenant(ctx, tenant.ID); err != nil {
		panic(err)
	}
	if err := client.DeleteUser(ctx, made.UID); err != nil {
		panic(err)
	}
	json.NewEncoder(os.Stdout).Encode(seen)
}
"""


def lines(language, homing):
    """The manual's lines in a language, about this server."""
    block = re.search(rf"```{language}\n(.*?)```", MANUAL, re.S)[1]
    assert "http://127.0.0.1:9098" in block and ("https://auth.example.com" in block or language == "go")
    return block.replace("https://auth.example.com", homing.public).replace("http://127.0.0.1:9098", homing.admin)


def run(command, script, folder, told):
    environment = {name: value for name, value in os.environ.items()
                   if "proxy" not in name.lower() and name != "FIREBASE_AUTH_EMULATOR_HOST"}
    done = subprocess.run([*command, script], cwd=folder, env=environment, input=json.dumps(told), text=True,
                          capture_output=True, timeout=600)
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


def program(language, homing, folder):
    """A back end of the manual's lines and of what it does with them: how it is run, its file, what its SDK says of what
    is forged and of what is no cookie."""
    recipe = lines(language, homing)
    name, text, command, forged, no_cookie = {
        "python": ("back_end.py", recipe + PYTHON, [sys.executable], "InvalidIdTokenError", "InvalidSessionCookieError"),
        "js": ("back-end.mjs", recipe + NODE, ["node"], "auth/argument-error", "auth/argument-error"),
        "java": ("BackEnd.java", JAVA.replace("RECIPE", recipe), ["java", "-cp", f"{JAVA_PACKAGES}/*"],
                 "INVALID_ID_TOKEN", "INVALID_SESSION_COOKIE"),
        "go": ("main.go", GO.replace("RECIPE", recipe), ["go", "run"], None, None),
    }[language]  # fmt: skip
    if language == "java" and not JAVA_PACKAGES.exists():
        pytest.skip("no Java with Maven was here when scripts/install ran")
    if language == "go":
        for part in ("go.mod", "go.sum"):
            shutil.copy(GO_MODULE / part, folder)
    (folder / name).write_text(text)
    return command, folder / name, forged, no_cookie


@pytest.mark.parametrize("language", ["python", "js", "java", "go"])
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
    command, script, forged, no_cookie = program(language, homing, folder)
    seen = run(command, script, folder, told)
    if language == "go":
        # Its own verification asks Google; verify.go's is tested with the other samples.
        assert tokens.read(seen["madeCookie"].split(".")[1])["sub"] == person["localId"]
    else:
        assert seen["verified"] == seen["cookie"] == person["localId"]
        assert seen["forged"] == [forged] * 3 and seen["noCookie"] == no_cookie
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

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The OpenAPI document of all that programs may ask, and Schemathesis, which asks it of both listeners."""

import json
import pathlib
import subprocess
import sys

import pytest
import requests
from world.homing import Homing

CHECKS = "not_a_server_error,content_type_conformance,response_schema_conformance"


@pytest.fixture(scope="module")
def homing():
    homing = Homing()
    homing.start()
    yield homing
    assert homing.stop() == 0
    homing.remove()


@pytest.fixture(scope="module")
def project(homing):
    return homing.project("shop")


def asked(homing, **more):
    return requests.get(f"{homing.admin}/openapi.json", headers={"Authorization": f"Bearer {homing.admin_key}"}, timeout=30, **more)


@pytest.fixture(scope="module")
def document(homing, project):
    return asked(homing).json()


def of(document, listener):
    """The part of a document that one listener answers."""
    paths = {path: item for path, item in document["paths"].items()
             if any((server["url"] == "/") == (listener == "admin") for server in item["servers"])}
    return document | {"paths": paths}


# One declaration answers behind each of them, and without any; and of a project and of a tenant.
PREFIXES = ("/identitytoolkit.googleapis.com/admin", "/identitytoolkit.googleapis.com", "/admin")


def asked_once(document):
    """The document without the paths that stand for others."""
    paths = document["paths"]

    def twins(path):
        yield path.replace("/tenants/{tenant}", "", 1)
        for prefix in PREFIXES:
            yield path.removeprefix(prefix)

    kept = {path: item for path, item in paths.items() if not any(twin != path and twin in paths for twin in twins(path))}
    return document | {"paths": kept}


def test_it_has_every_operation_and_where_it_answers(homing, document):
    assert document["openapi"] == "3.1.0"
    public, admin = of(document, "public")["paths"], of(document, "admin")["paths"]
    for path in ("/v1/accounts:sendOobCode", "/securetoken.googleapis.com/v1/token", "/.well-known/jwks.json",
                 "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
                 "/firebasedynamiclinks.googleapis.com/v1/shortLinks", "/{project}/.well-known/openid-configuration",
                 "/__/homing/1/homing.js", "/readyz", "/.well-known/assetlinks.json"):
        assert path in public
    for path in ("/v1/projects/{project}/accounts:batchCreate", "/v1/projects/{project}:createSessionCookie",
                 "/v2/projects/{project}/config", "/metrics", "/mail/bounces", "/openapi.json"):
        assert path in admin and path not in public
    assert not any("console" in path or path == "/enter" or "*" in path for path in document["paths"]), "pages are for people"
    members = public["/v1/accounts:sendOobCode"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert {"requestType", "continueUrl", "returnOobLink"} <= set(members["properties"])
    identifiers = [operation["operationId"] for item in document["paths"].values() for name, operation in item.items()
                   if name in ("get", "post", "patch", "delete")]
    assert len(identifiers) == len(set(identifiers))


def members(document, path, method="post"):
    return set(document["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]["properties"])


def test_it_says_what_back_ends_may_say(document):
    accounts = "/v1/projects/{project}/accounts"
    lookup = members(document, f"{accounts}:lookup")
    assert {"localId", "email", "phoneNumber", "federatedUserId"} <= lookup and "idToken" not in lookup
    assert {"users", "hashAlgorithm", "signerKey", "saltSeparator", "rounds", "memoryCost", "argon2Parameters"} <= members(
        document, f"{accounts}:batchCreate")  # fmt: skip
    assert {"envelopeFrom", "status"} <= members(document, "/mail/bounces")
    schemas = document["components"]["schemas"]
    assert {"signIn", "authorizedDomains", "passwordPolicyConfig"} <= set(schemas["Config"]["properties"])
    assert "displayName" in schemas["Tenant"]["properties"]
    assert [parameter["name"] for parameter in document["paths"]["/v2/projects/{project}/config"]["patch"]["parameters"]] == [
        "updateMask"
    ]
    for path, item in document["paths"].items():
        for method in {"post", "patch"} & set(item):
            for content in item[method]["requestBody"]["content"].values():
                assert "$ref" in content["schema"] or content["schema"]["properties"], f"{method} {path} has no members"


def test_nobody_reads_it_without_a_key_or_on_the_public_listener(homing, document):
    assert requests.get(f"{homing.admin}/openapi.json", timeout=30).status_code == 401
    assert requests.get(f"{homing.public}/openapi.json", timeout=30).status_code == 404


@pytest.mark.parametrize("listener", ["public", pytest.param("admin", marks=pytest.mark.release)])
def test_whatever_schemathesis_sends_the_server_answers_as_the_document_says(homing, project, document, listener):
    path = homing.folder / f"{listener}.json"
    path.write_text(json.dumps(asked_once(of(document, listener))))
    credential = f"X-Goog-Api-Key: {project.api_key}" if listener == "public" else f"Authorization: Bearer {homing.admin_key}"
    done = subprocess.run(
        [str(pathlib.Path(sys.executable).parent / "schemathesis"), "run", str(path), "--url", getattr(homing, listener),
         "--header", credential, "--checks", CHECKS, "--phases", "coverage,fuzzing", "--max-examples", "5",
         "--no-color", "--suppress-health-check", "all"],
        cwd=homing.folder, capture_output=True, text=True, timeout=300)
    # Its seed stands in the output.
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert " passed" in done.stdout or "No issues found" in done.stdout

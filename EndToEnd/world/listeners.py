# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Two programs that answer by Google's discovery documents: a call goes where its document says, and is held against it."""

import json
import time
import urllib.parse

import jwt
import requests

from . import schema_exceptions, tokens
from .dynamic_links import LinkPlace
from .project import PASSWORD, new_address
from .schemas import all_methods

CUSTOM_TOKEN_AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
)
SECRET = {
    "password", "newPassword", "token", "idToken", "refreshToken", "id_token", "access_token", "refresh_token", "oobCode",
    "sessionCookie",
}  # fmt: skip


class Listener:
    """One listener, and how its callers prove who they are."""

    def __init__(self, program, root, project, query=None, headers=None, keep_secret=lambda *texts: None):
        self.program, self.root, self.project = program, root, project
        self.query, self.headers, self.keep_secret = query or {}, headers or {}, keep_secret
        # What did not fit a schema and is excused: (who sent it, schema, member, what is wrong).
        self.excused = set()
        self.session = requests.Session()
        self.session.trust_env = False

    def send(self, method_id, body=None, query=None, **ids):
        """The answer to a request of a method, whatever it is; the request fits the method's description."""
        method = all_methods()[method_id]
        path = fill(method.path, {"projectsId": self.project} | ids)
        if body is not None:
            self.hold("request", method, body, method.request)
        query = self.query | (query or {})
        assert not method.query_faults(query), method.query_faults(query)
        self.keep_secret(*secrets_in(body))
        answer = self.session.request(
            method.verb, f"{self.root}{method.base}{path}", json=body, params=query, headers=self.headers, timeout=60
        )
        if "json" in answer.headers.get("Content-Type", ""):
            self.keep_secret(*secrets_in(answer.json()))
        return answer

    def call(self, method_id, body=None, query=None, **ids):
        """A request that must succeed; its answer, which fits the method's description."""
        answer = self.send(method_id, body, query, **ids)
        assert answer.status_code == 200, f"{self.program}, {method_id}: {answer.status_code} {answer.text}"
        assert answer.headers["Content-Type"].startswith("application/json")
        document = answer.json()
        method = all_methods()[method_id]
        self.hold(self.program, method, document, method.response)
        return document

    def refused(self, method_id, body=None, query=None, **ids):
        """The status and message of a request that must be refused."""
        answer = self.send(method_id, body, query, **ids)
        assert answer.status_code >= 400, f"{self.program}, {method_id}: {answer.status_code} {answer.text}"
        error = answer.json()["error"]
        assert error["code"] == answer.status_code and error["errors"][0]["message"] == error["message"]
        return answer.status_code, error["message"]

    def hold(self, sender, method, value, rule):
        """An AssertionError with everything that does not fit and is not excused."""
        faults = method.faults(value, rule)
        wrong = [fault for fault in faults if (sender, *fault[:3]) not in schema_exceptions.REASONS]
        assert not wrong, f"{sender}, {method.id}: {wrong}"
        self.excused |= {(sender, *fault[:3]) for fault in faults}


def fill(path, ids):
    for name, value in ids.items():
        path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
    assert "{" not in path, path
    return path


def secrets_in(value, name=""):
    """The codes, passwords and tokens in a document."""
    if isinstance(value, dict):
        return [secret for key, child in value.items() for secret in secrets_in(child, key)]
    if isinstance(value, str) and name in SECRET:
        return [value]
    return []


class World:
    """A program with what scenes need: an app's listener, a back end's, and people."""

    def __init__(self, app, back, tenant=None):
        self.app, self.back, self.tenant = app, back, tenant
        self.program, self.project = app.program, app.project

    def within(self, tenant):
        """The same in a tenant."""
        twin = object.__new__(type(self))
        twin.__dict__ = self.__dict__ | {"tenant": tenant}
        return twin

    @property
    def excused(self):
        return self.app.excused | self.back.excused

    def operation(self, name, body):
        """A back end's operation on accounts, of the project or of the tenant."""
        place = "projects.tenants.accounts" if self.tenant else "projects.accounts"
        ids = {"tenantsId": self.tenant} if self.tenant else {}
        return self.back.call(f"identitytoolkit.{place}{name}", body, **ids)

    def account(self, **more):
        """The id of an account that a back end has made."""
        return self.operation("", {"email": new_address(), "password": PASSWORD} | more)["localId"]

    def person(self):
        """Somebody who has signed up, with tokens."""
        body = {"email": new_address(), "password": PASSWORD, "returnSecureToken": True}
        return self.app.call("identitytoolkit.accounts.signUp", body | ({"tenantId": self.tenant} if self.tenant else {}))

    def code(self, kind, email, **more):
        body = {"requestType": kind, "email": email, "returnOobLink": True} | more
        return self.operation(".sendOobCode", body)["oobCode"]


class Served(World):
    """`homing serve` with a project, a link domain and a service account."""

    def __init__(self, homing, identifier="compatible"):
        self.links = LinkPlace(homing, identifier, domains=("localhost", "good.example"))
        self.key = json.loads(homing.command("service-account", "create", identifier, "Back end").stdout)
        common = {"keep_secret": homing.keep_secret}
        super().__init__(
            Listener("homing", homing.public, identifier, query={"key": self.links.project.api_key}, **common),
            Listener("homing", homing.admin, identifier, headers=self.links.bearer, **common),
        )

    def custom_token(self, uid, **claims):
        """A token as Firebase's Admin SDKs make it with the service account's file."""
        now, address = int(time.time()), self.key["client_email"]
        payload = {"iss": address, "sub": address, "aud": CUSTOM_TOKEN_AUDIENCE, "uid": uid, "iat": now, "exp": now + 600}
        return jwt.encode(payload | {"claims": claims}, self.key["private_key"], algorithm="RS256")


class Emulated(World):
    """`homing-emulator`, where any key and `owner` do."""

    def __init__(self, emulator):
        super().__init__(
            Listener("homing-emulator", emulator.url, emulator.project, query={"key": "any-key"}),
            Listener("homing-emulator", emulator.url, emulator.project, headers={"Authorization": "Bearer owner"}),
        )

    def custom_token(self, uid, **claims):
        return tokens.made({"alg": "none", "typ": "JWT"}, {"aud": CUSTOM_TOKEN_AUDIENCE, "uid": uid, "claims": claims})

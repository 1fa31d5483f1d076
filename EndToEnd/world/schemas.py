# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Google's discovery documents, as google-api-python-client bundles them: their methods, and values held against schemas."""

import base64
import binascii
import datetime
import functools
import json
import re

from googleapiclient.discovery_cache import get_static_doc

UNKNOWN = "not in the schema"
RANGES = {"int32": (-(2**31), 2**31), "uint32": (0, 2**32), "int64": (-(2**63), 2**63), "uint64": (0, 2**64)}

# The token service is in no document. These are the members that Google's client libraries read.
TOKEN = {
    "host": "securetoken.googleapis.com",
    "verb": "POST",
    "path": "v1/token",
    "request": {"grantType": "string", "refreshToken": "string"},
    "response": {
        **dict.fromkeys(["access_token", "id_token", "project_id", "refresh_token", "token_type", "user_id"], "string"),
        "expires_in": "int64",
    },
}


class Method:
    """One operation of a document: where it is, what it takes, what it answers."""

    def __init__(self, document, described):
        self.schemas = document["schemas"]
        self.id, self.verb = described["id"], described["httpMethod"]
        self.path = described.get("flatPath", described["path"])
        host = document["rootUrl"].removeprefix("https://")
        self.base = f"/{host}{document['servicePath']}"
        self.request, self.response = described.get("request"), described.get("response", {"type": "object"})
        self.parameters = document["parameters"] | described.get("parameters", {})

    def faults(self, value, rule):
        """What does not fit, as (schema, member, what is wrong, the value)."""
        found = Check(self.schemas)
        found.value(value, rule, ("", ""))
        return found.faults

    @property
    def kind(self):
        """The `kind` that answers have, where the document says so."""
        schema = self.schemas.get(self.response.get("$ref"), {})
        return schema.get("properties", {}).get("kind", {}).get("default")

    def query_faults(self, query):
        found = Check(self.schemas)
        for name, value in query.items():
            if name not in self.parameters:
                found.fault((self.id, name), "no such parameter", value)
            else:
                found.value(value, self.parameters[name], (self.id, name))
        return found.faults


@functools.cache
def methods(name, version):
    """The methods of a document by id."""
    document = json.loads(get_static_doc(name, version))
    return {described["id"]: Method(document, described) for described in described_in(document)}


def described_in(resource):
    yield from resource.get("methods", {}).values()
    for child in resource.get("resources", {}).values():
        yield from described_in(child)


@functools.cache
def token_method():
    """The token service's operation, in the form of the others."""
    schemas = {
        "Token" + kind.capitalize(): {
            "type": "object",
            "properties": {
                name: {"type": "string"} | ({"format": form} if form != "string" else {})
                for name, form in TOKEN[kind].items()
            },
        }
        for kind in ("request", "response")
    }
    document = {
        "schemas": schemas, "rootUrl": f"https://{TOKEN['host']}/", "servicePath": "",
        "parameters": {"key": {"type": "string"}},
    }  # fmt: skip
    references = {kind: {"$ref": "Token" + kind.capitalize()} for kind in ("request", "response")}
    return Method(document, {"id": "securetoken.token", "httpMethod": TOKEN["verb"], "path": TOKEN["path"]} | references)


@functools.cache
def all_methods():
    found = {}
    for name, version in (
        ("identitytoolkit", "v1"), ("identitytoolkit", "v2"), ("identitytoolkit", "v3"), ("firebasedynamiclinks", "v1"),
    ):  # fmt: skip
        assert not found.keys() & methods(name, version).keys()
        found |= methods(name, version)
    return found | {token_method().id: token_method()}


# --- values ----------------------------------------------------------------------------------------------------------


class Check:
    """Holds a value against a schema, and collects what does not fit."""

    def __init__(self, schemas):
        self.schemas, self.faults = schemas, []

    def fault(self, where, what, value):
        self.faults.append((*where, what, value))

    def value(self, value, rule, where):
        """`where` is the schema and the member that the value is of; an object without a name has these two for its name."""
        if "$ref" in rule:
            return self.object(value, self.schemas[rule["$ref"]], rule["$ref"], where)
        kind = rule["type"]
        if kind == "object":
            return self.object(value, rule, ".".join(where), where)
        if kind == "array" or rule.get("repeated"):
            if not isinstance(value, list):
                return self.fault(where, "no array", value)
            for child in value:
                self.value(child, rule.get("items", rule | {"repeated": False}), where)
        elif kind != "any":
            wrong = scalar_fault(value, rule)
            if wrong:
                self.fault(where, wrong, value)

    def object(self, value, rule, schema, where):
        if not isinstance(value, dict):
            return self.fault(where, "no object", value)
        for name, child in value.items():
            known = rule.get("properties", {}).get(name, rule.get("additionalProperties"))
            if known is None:
                self.fault((schema, name), UNKNOWN, child)
            else:
                self.value(child, known, (schema, name))


def scalar_fault(value, rule):
    """Why a value is none of a type; None where it is one."""
    kind, form = rule["type"], rule.get("format")
    if kind == "boolean":
        return None if isinstance(value, bool) else "no boolean"
    if kind in ("integer", "number"):
        fits = isinstance(value, int if kind == "integer" else (int, float)) and not isinstance(value, bool)
        return None if fits and (form not in RANGES or in_range(value, form)) else f"no {form or kind}"
    if not isinstance(value, str):
        return f"no string ({form})" if form else "no string"
    if "enum" in rule and value not in rule["enum"]:
        return "not of the enumeration"
    # The documents' own values of `kind`, which version 3 states and some clients compare.
    if "default" in rule and rule["default"].startswith("identitytoolkit#") and value != rule["default"]:
        return f"not {rule['default']}"
    return None if form is None or FORMS[form](value) else f"no {form}"


def in_range(value, form):
    low, high = RANGES[form]
    return low <= value < high


def is_decimal(form):
    return lambda text: re.fullmatch(r"0|-?[1-9][0-9]*", text) is not None and in_range(int(text), form)


def is_base64(text):
    try:
        base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True)
    except binascii.Error:
        return False
    return True


def is_moment(text):
    form = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})"
    if not re.fullmatch(form, text):
        return False
    datetime.datetime.fromisoformat(re.sub(r"(\.[0-9]{1,6})[0-9]*", r"\1", text).replace("Z", "+00:00"))
    return True


FORMS = {
    "int64": is_decimal("int64"),
    "uint64": is_decimal("uint64"),
    "byte": is_base64,
    "google-datetime": is_moment,
    "google-duration": lambda text: re.fullmatch(r"-?[0-9]+(\.[0-9]{1,9})?s", text) is not None,
    "google-fieldmask": lambda text: re.fullmatch(r"[A-Za-z_.]+(,[A-Za-z_.]+)*", text) is not None,
}

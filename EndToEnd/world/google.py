# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Google's own Python client of the Dynamic Links API, and the description that it bundles, held against answers."""

import json
import re

import google_auth_httplib2
import httplib2
from google.auth.credentials import AnonymousCredentials
from google.oauth2.credentials import Credentials
from googleapiclient.discovery import build
from googleapiclient.discovery_cache import get_static_doc

DOCUMENT = json.loads(get_static_doc("firebasedynamiclinks", "v1"))
SCHEMAS = DOCUMENT["schemas"]
KINDS = {"string": str, "boolean": bool, "integer": int, "number": (int, float)}


def check(value, schema):
    """An AssertionError that names the field which the description does not know, or knows otherwise."""
    check_value(value, {"$ref": schema}, schema)


def check_value(value, rule, where):
    if "$ref" in rule:
        rule = SCHEMAS[rule["$ref"]]
    if rule["type"] == "object":
        assert isinstance(value, dict), where
        for name, child in value.items():
            assert name in rule["properties"], f"{where}.{name} is not in the description"
            check_value(child, rule["properties"][name], f"{where}.{name}")
    elif rule["type"] == "array":
        assert isinstance(value, list), where
        for child in value:
            check_value(child, rule["items"], f"{where}[]")
    else:
        assert isinstance(value, KINDS[rule["type"]]), f"{where} is {value!r}"
        if "enum" in rule:
            assert value in rule["enum"], f"{where} is {value!r}"
        if rule.get("format") in ("int64", "uint64", "int32"):
            assert re.fullmatch(r"-?[0-9]+", str(value)), f"{where} is {value!r}"


def service(root, credentials, key=None):
    http = google_auth_httplib2.AuthorizedHttp(credentials, http=httplib2.Http(proxy_info=None, timeout=30))
    return build(
        "firebasedynamiclinks",
        "v1",
        http=http,
        developerKey=key,
        static_discovery=True,
        client_options={"api_endpoint": f"{root}/firebasedynamiclinks.googleapis.com/"},
    )


def app_client(place):
    """The client with the app's API key, on the public listener."""
    return service(place.homing.public, AnonymousCredentials(), place.project.api_key)


def operator_client(place):
    """The client with a bearer, on the admin listener."""
    return service(place.homing.admin, Credentials(token=place.homing.admin_key))

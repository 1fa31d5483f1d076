# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""How the Auth SDKs of Firebase read a mailed link: their parsing rules, written down again as tests' own code.

Each reader gives the fields that its SDK would hand to the app, or None where the SDK sees no action link.
"""

import urllib.parse

OPERATIONS = {
    "recoverEmail": "RECOVER_EMAIL",
    "resetPassword": "PASSWORD_RESET",
    "signIn": "EMAIL_SIGNIN",
    "verifyEmail": "VERIFY_EMAIL",
    "verifyAndChangeEmail": "VERIFY_AND_CHANGE_EMAIL",
    "revertSecondFactorAddition": "REVERT_SECOND_FACTOR_ADDITION",
}
FIELDS = {
    "apiKey": "apiKey",
    "code": "oobCode",
    "continueUrl": "continueUrl",
    "languageCode": "lang",
    "tenantId": "tenantId",
}


def decoded(text):
    """Decoded once; a percent sign that encodes nothing raises ValueError, as it throws in JavaScript."""
    for place, byte in enumerate(text):
        if byte == "%" and not (text[place + 1 : place + 3].isalnum() and len(text[place + 1 : place + 3]) == 2):
            raise ValueError(text)
    return urllib.parse.unquote(text, errors="strict")


# --- the JavaScript SDK ----------------------------------------------------------------------------------------------


def javascript_query(url):
    """Split at `&`, each piece at its first two `=`, name and value decoded once; the last of a name wins."""
    start = url.find("?")
    if start == 0:
        return {}
    rest = url[start:] if start > 0 else url
    rest = rest.partition("#")[0].removeprefix("?")
    found = {}
    for piece in filter(None, rest.split("&")):
        name, value = [*piece.split("="), "undefined"][:2]
        found[decoded(name)] = decoded(value)
    return found


def javascript(link):
    """`parseActionCodeURL`: the innermost of `deep_link_id` and `link` that is there, then key, code and mode in it."""
    outer = javascript_query(link)
    inner, deep = outer.get("link"), outer.get("deep_link_id")
    twice = javascript_query(inner).get("deep_link_id") if inner else None
    deep_twice = javascript_query(deep).get("link") if deep else None
    try:
        query = javascript_query(deep_twice or deep or twice or inner or link)
    except ValueError:
        return None
    operation = OPERATIONS.get(query.get("mode"))
    if not (query.get("apiKey") and query.get("oobCode") and operation):
        return None
    return {"operation": operation} | {field: query.get(name) for field, name in FIELDS.items()}


# --- the SDK for Apple platforms -------------------------------------------------------------------------------------


def apple(link):
    """`ActionCodeURL(link:)`: the query as it is after one decoding, then split at `&` and at `=`; no unwrapping."""
    query = urllib.parse.unquote(link.partition("?")[2].partition("#")[0])
    found = {}
    for piece in query.split("&"):
        pieces = piece.split("=")
        if len(pieces) >= 2:
            found[pieces[0]] = urllib.parse.unquote(pieces[1])
    operation = OPERATIONS.get(found.get("mode"))
    if not (found.get("oobCode") and operation):
        return None
    return {"operation": operation} | {field: found.get(name) for field, name in FIELDS.items()}


# --- the SDK for Android ---------------------------------------------------------------------------------------------


def android_query(url):
    """`Uri.getQueryParameter`: split at `&`, each piece at its first `=`; the first of a name wins; `+` is a space."""
    found = {}
    for piece in url.partition("#")[0].partition("?")[2].split("&"):
        name, _, value = piece.partition("=")
        found.setdefault(urllib.parse.unquote(name), urllib.parse.unquote(value.replace("+", " ")))
    return found


def android(link):
    """`ActionCodeUrl.parseLink`: a `link` inside is unwrapped once, then key, code and mode."""
    query = android_query(link)
    query = android_query(query["link"]) if query.get("link") else query
    operation = OPERATIONS.get(query.get("mode"))
    if not (query.get("apiKey") and query.get("oobCode") and operation):
        return None
    return {"operation": operation} | {field: query.get(name) for field, name in FIELDS.items()}


# --- the Dynamic Links SDK for Apple platforms -----------------------------------------------------------------------


def apple_dynamic_link(link):
    """The parameters of a long link: pieces at `&` with exactly one `=` in them, decoded once; others are dropped."""
    found = {}
    for piece in link.partition("?")[2].partition("#")[0].split("&"):
        if piece.count("=") == 1:
            name, value = piece.split("=")
            found[urllib.parse.unquote(name)] = urllib.parse.unquote(value)
    return found if found.get("link", "").startswith(("https://", "http://")) else None

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Verifies ID tokens, and session cookies by their ISSUER, with PyJWT 2.10.1 or newer:

    python3 verify.py JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN
"""

import sys
import threading
import time

import jwt

CLAIMS = ["iss", "aud", "exp", "iat", "auth_time", "sub"]


class IDTokenVerifier:
    """Believes ID tokens of one project, or of one tenant in it: of nobody's else, because two tenants may have one id.

    Keep one while the program runs: it keeps the key set for an hour. With the key set and the issuer of session cookies it believes those, and no ID tokens.
    """

    def __init__(self, jwks_url, project, issuer=None, tenant=None):
        self.project = project
        self.tenant = tenant
        self.issuer = issuer or f"https://securetoken.google.com/{project}"
        self._client = jwt.PyJWKClient(jwks_url, cache_jwk_set=False, timeout=10)
        self._keys = {}
        self._fetched = self._asked = float("-inf")
        self._lock = threading.Lock()

    def verify(self, token):
        """The claims of a token. A jwt.InvalidTokenError means 401, any other error that the key set did not come."""
        key = self._key(jwt.get_unverified_header(token).get("kid"))
        if key is None:
            raise jwt.InvalidTokenError("the kid is unknown")
        # The key says what algorithm it is for. The token alone never does.
        if key.algorithm_name not in ("RS256", "ES256"):
            raise jwt.InvalidTokenError("the key is for another alg")
        claims = jwt.decode(
            token,
            key,
            algorithms=[key.algorithm_name],
            issuer=self.issuer,
            audience=self.project,
            leeway=60,  # Seconds, because clocks differ.
            options={"require": CLAIMS, "strict_aud": True},
        )
        if not isinstance(claims["auth_time"], (int, float)) or not claims["auth_time"] < time.time() + 60:
            raise jwt.InvalidTokenError("auth_time is in the future")
        if not claims["sub"]:
            raise jwt.InvalidTokenError("sub is empty")
        firebase = claims.get("firebase")
        if (firebase.get("tenant") if isinstance(firebase, dict) else None) != self.tenant:
            raise jwt.InvalidTokenError("the tenant is another")
        return claims

    def _key(self, kid):
        """A set is good for an hour. An unknown kid fetches it anew, at most once a minute."""
        with self._lock:
            now = time.monotonic()
            if now - self._fetched > 3600:
                self._keys = {}
            if kid not in self._keys and now - self._asked > 60:
                self._asked = now
                self._keys = {key.key_id: key for key in self._client.get_signing_keys()}
                self._fetched = now
            return self._keys.get(kid)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: verify.py JWKS_URL PROJECT[/TENANT] [ISSUER] < TOKEN")
    jwks_url, project, issuer = [*sys.argv[1:], None][:3]
    project, _, tenant = project.partition("/")
    try:
        verifier = IDTokenVerifier(jwks_url, project, issuer, tenant or None)
        print(verifier.verify(sys.stdin.buffer.readline().strip())["sub"])
    except (jwt.PyJWTError, ValueError) as error:
        sys.exit(f"refused: {error}")

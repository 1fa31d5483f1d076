# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Tokens of a forger's own making, and a key set of a test's own."""

import base64
import hashlib
import hmac
import http.server
import json
import threading
import time

import jwt
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

NO_SIGNATURE = b""


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def part(document):
    return encoded(json.dumps(document).encode())


def read(part):
    return json.loads(base64.urlsafe_b64decode(part + "=="))


def made(header, claims, sign=lambda text: NO_SIGNATURE):
    """A token of any header and claims; `sign` answers the signature of a text."""
    text = f"{part(header)}.{part(claims)}"
    return f"{text}.{encoded(sign(text.encode()))}"


def rs256(key):
    return lambda text: key.sign(text, padding.PKCS1v15(), hashes.SHA256())


def rs512(key):
    return lambda text: key.sign(text, padding.PKCS1v15(), hashes.SHA512())


def ps256(key):
    return lambda text: key.sign(text, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def es256(key):
    def sign(text):
        r, s = decode_dss_signature(key.sign(text, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    return sign


def hs256(secret):
    return lambda text: hmac.new(secret, text, hashlib.sha256).digest()


def new_rsa_key():
    return rsa.generate_private_key(65537, 2048)


def new_ec_key():
    return ec.generate_private_key(ec.SECP256R1())


def public_jwk(key, alg, kid):
    algorithm = jwt.algorithms.RSAAlgorithm if isinstance(key, rsa.RSAPrivateKey) else jwt.algorithms.ECAlgorithm
    return json.loads(algorithm.to_jwk(key.public_key())) | {"alg": alg, "use": "sig", "kid": kid}


class KeySet(http.server.ThreadingHTTPServer):
    """A key set as Homing publishes it, with the private halves in hand."""

    daemon_threads = True

    def __init__(self, project):
        super().__init__(("127.0.0.1", 0), Requests)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/.well-known/jwks.json"
        self.project = project
        self.rsa, self.ec, self.pss = new_rsa_key(), new_ec_key(), new_rsa_key()
        # jwt-kit takes the first key of a set as its default.
        self.keys = [
            public_jwk(self.rsa, "RS256", "the RSA key"),
            public_jwk(self.ec, "ES256", "the EC key"),
            public_jwk(self.pss, "PS256", "the PSS key"),
        ]
        self.answer = None
        self.times_asked = 0

    def start(self):
        threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def stop(self):
        self.shutdown()
        self.server_close()

    def claims(self, **others):
        """The claims of a good token, with others in their place; None takes one away."""
        now = int(time.time())
        good = {
            "iss": f"https://securetoken.google.com/{self.project}",
            "aud": self.project,
            "sub": "keeper-of-skarv",
            "auth_time": now - 60,
            "iat": now,
            "exp": now + 3600,
        }
        return {name: value for name, value in (good | others).items() if value is not None}

    def token(self, alg="RS256", kid=None, sign=None, **claims):
        """A token that is good unless told otherwise."""
        header = {"alg": alg, "typ": "JWT", "kid": kid or {"RS256": "the RSA key", "ES256": "the EC key"}[alg]}
        return made(header, self.claims(**claims), sign or {"RS256": rs256(self.rsa), "ES256": es256(self.ec)}[alg])


class Requests(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.times_asked += 1
        status, body = self.server.answer or (200, json.dumps({"keys": self.server.keys}))
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Cache-Control", "public, max-age=3600")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        """Pytest's own output is enough."""

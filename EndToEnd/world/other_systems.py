# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""The hashes of other systems, made with the libraries that they use, and the files in which they hand them out."""

import base64
import csv
import ctypes
import hashlib
import io
import json

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

SALT = b"sixteen byte slt"


def base64_of(data):
    return base64.b64encode(data).decode()


def bcrypt(password, cost=5):
    crypt = ctypes.CDLL("libcrypt.so.1").crypt
    crypt.restype = ctypes.c_char_p
    return crypt(password.encode(), f"$2b${cost:02}$abcdefghijklmnopqrstuu".encode()).decode()


def argon2(password, memory=7168, passes=5, lanes=1):
    made = Argon2id(salt=SALT, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(password.encode())
    salt, hashed = (base64_of(data).rstrip("=") for data in (SALT, made))
    return f"$argon2id$v=19$m={memory},t={passes},p={lanes}${salt}${hashed}"


def pbkdf2(digest, password, salt, rounds, length=None):
    return base64_of(hashlib.pbkdf2_hmac(digest, password.encode(), salt, rounds, length))


def django(password):
    """A password in every form that Django has a hasher for, by the name of the form."""
    scrypt = hashlib.scrypt(password.encode(), salt=b"seasalt", n=1 << 14, r=8, p=5, dklen=64, maxmem=1 << 27)
    return {
        "pbkdf2": f"pbkdf2_sha256$20000$seasalt${pbkdf2('sha256', password, b'seasalt', 20000)}",
        "older": f"pbkdf2_sha256$12000$seasalt${pbkdf2('sha256', password, b'seasalt', 12000)}",
        "sha1": f"pbkdf2_sha1$1000$seasalt${pbkdf2('sha1', password, b'seasalt', 1000)}",
        "argon2": f"argon2{argon2(password, 102_400, 2, 8)}",
        "bcrypt": f"bcrypt${bcrypt(password)}",
        "bcrypt_sha256": f"bcrypt_sha256${bcrypt(hashlib.sha256(password.encode()).hexdigest())}",
        "scrypt": f"scrypt$16384$seasalt$8$5${base64_of(scrypt)}",
    }


def django_user(key, address, password, **more):
    fields = {"email": address, "password": password, "username": address, "is_active": True, "groups": []}
    return {"model": "auth.user", "pk": key, "fields": fields | more}


def keycloak_user(identifier, address, password, algorithm):
    """A user of a realm's export; both halves of a credential are texts of JSON."""
    parameters = {}
    if algorithm == "argon2":
        value, rounds = base64_of(base64.b64decode(argon2(password).split("$")[-1] + "=")), 5
        parameters = {"hashLength": ["32"], "memory": ["7168"], "type": ["id"], "version": ["1.3"], "parallelism": ["1"]}
    else:
        digest, rounds = {"pbkdf2": "sha1"}.get(algorithm, algorithm[7:]), 27_500
        value = pbkdf2(digest, password, SALT, rounds, 64)
    secret = {"value": value, "salt": base64_of(SALT), "additionalParameters": {}}
    data = {"hashIterations": rounds, "algorithm": algorithm, "additionalParameters": parameters}
    credential = {"type": "password", "secretData": json.dumps(secret), "credentialData": json.dumps(data)}
    return {
        "id": identifier, "username": address, "email": address, "emailVerified": True, "enabled": True,
        "createdTimestamp": 1_500_000_000_000, "credentials": [credential],
    }


def rows(header, *lines):
    """Comma-separated values with a first row."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *lines])
    return text.getvalue()

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""Firebase's own hash of passwords (https://github.com/firebase/scrypt), as exports have it."""

import base64
import hashlib

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

# Of the vectors in that repository's README.
SIGNER_KEY = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="


def scrypt(password, salt):
    """Firebase's own scrypt (https://github.com/firebase/scrypt), in base64."""
    key = hashlib.scrypt(password.encode(), salt=salt + b"\x07", n=1 << 14, r=8, p=1, maxmem=1 << 26, dklen=64)[:32]
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    return base64.b64encode(encryptor.update(base64.b64decode(SIGNER_KEY))).decode()

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A certificate authority of the tests' own, by openssl."""

import pathlib
import subprocess


class Authority:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.certificate = self.folder / "authority.pem"
        self._openssl(
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "authority.key",
            "-out",
            self.certificate.name,
            "-days",
            "2",
            "-subj",
            "/CN=Tests' own authority",
            "-addext",
            "basicConstraints=critical,CA:TRUE",
            "-addext",
            "keyUsage=critical,keyCertSign",
        )

    def issue(self, name, hosts=("DNS:localhost", "IP:127.0.0.1"), days=2):
        """A certificate and its key: two paths. With fewer than 0 days it has ended already."""
        self._openssl(
            "req",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            f"{name}.key",
            "-out",
            f"{name}.csr",
            "-subj",
            f"/CN={name}",
        )
        (self.folder / f"{name}.ext").write_text(
            f"subjectAltName={','.join(hosts)}\nextendedKeyUsage=serverAuth\n"
        )
        self._openssl(
            "x509",
            "-req",
            "-in",
            f"{name}.csr",
            "-CA",
            self.certificate.name,
            "-CAkey",
            "authority.key",
            "-CAcreateserial",
            "-days",
            str(days),
            "-extfile",
            f"{name}.ext",
            "-out",
            f"{name}.pem",
        )
        return self.folder / f"{name}.pem", self.folder / f"{name}.key"

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

# SPDX-License-Identifier: Apache-2.0
# Copyright (c) the Homing authors
"""A certificate authority of the tests' own."""

import datetime
import ipaddress
import pathlib

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID


class Authority:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.certificate = self.folder / "authority.pem"
        self.key = rsa.generate_private_key(65537, 2048)
        self.name = named("Tests' own authority")
        made = (
            self._begun(self.name, self.key, days=2)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(key_usage(key_cert_sign=True), critical=True)
        )
        self.certificate.write_bytes(self._signed(made))

    def issue(self, name, hosts=("DNS:localhost", "IP:127.0.0.1"), days=2):
        """A certificate and its key: two paths. With fewer than 0 days it has ended already."""
        key = rsa.generate_private_key(65537, 2048)
        made = (
            self._begun(named(name), key, days)
            .add_extension(x509.SubjectAlternativeName([alternative(host) for host in hosts]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        )
        paths = self.folder / f"{name}.pem", self.folder / f"{name}.key"
        paths[0].write_bytes(self._signed(made))
        plain = serialization.NoEncryption()
        paths[1].touch(mode=0o600)
        paths[1].write_bytes(
            key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
        )
        return paths

    def _begun(self, name, key, days):
        now = datetime.datetime.now(datetime.timezone.utc)
        end = now + datetime.timedelta(days=days)
        authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key())
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self.name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(min(now, end) - datetime.timedelta(days=1 if days < 0 else 0, minutes=5))
            .not_valid_after(end)
            .add_extension(authority, critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )

    def _signed(self, builder):
        return builder.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def named(name):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def alternative(host):
    kind, _, value = host.partition(":")
    return x509.IPAddress(ipaddress.ip_address(value)) if kind == "IP" else x509.DNSName(value)


def key_usage(**uses):
    names = (
        *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
        *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
    )
    return x509.KeyUsage(**{name: uses.get(name, False) for name in names})

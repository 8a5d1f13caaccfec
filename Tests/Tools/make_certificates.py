#!/usr/bin/env -S /usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Creates an authority and its certificates in a folder: good, expired, early, other, and the self-signed self."""

from __future__ import annotations

import datetime
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = datetime.timedelta(days=1)
NOW = datetime.datetime.utcnow()


def name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def write(folder: pathlib.Path, file: str, certificate: x509.Certificate, key: ec.EllipticCurvePrivateKey) -> None:
    pem = serialization.Encoding.PEM
    (folder / f"{file}.crt").write_bytes(certificate.public_bytes(pem))
    (folder / f"{file}.key").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def certificate(
    subject: str, issuer: str, key: ec.EllipticCurvePrivateKey, signer: ec.EllipticCurvePrivateKey,
    start: datetime.datetime, end: datetime.datetime, *, is_authority: bool = False,
) -> x509.Certificate:
    builder = (
        x509.CertificateBuilder()
        .subject_name(name(subject))
        .issuer_name(name(issuer))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(end)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
    )
    if not is_authority:
        builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(subject)]), critical=False)
    return builder.sign(signer, hashes.SHA256())


def main(folder: pathlib.Path) -> None:
    root = ec.generate_private_key(ec.SECP256R1())
    authority = "Touchtone test authority"
    write(folder, "authority", certificate(
        authority, authority, root, root, NOW - 900 * DAY, NOW + 900 * DAY, is_authority=True), root)
    for file, subject, start, end in [
        ("good", "localhost", NOW - DAY, NOW + 30 * DAY),
        ("expired", "localhost", NOW - 30 * DAY, NOW - DAY),
        ("early", "localhost", NOW + DAY, NOW + 30 * DAY),
        ("other", "example.org", NOW - DAY, NOW + 30 * DAY),
    ]:
        key = ec.generate_private_key(ec.SECP256R1())
        write(folder, file, certificate(subject, authority, key, root, start, end), key)
    key = ec.generate_private_key(ec.SECP256R1())
    write(folder, "self", certificate("localhost", "localhost", key, key, NOW - DAY, NOW + 30 * DAY), key)


main(pathlib.Path(sys.argv[1]))

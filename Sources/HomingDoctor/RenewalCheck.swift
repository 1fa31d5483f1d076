// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Judges how getting and renewing a certificate by ACME goes, by the server's data.
package struct RenewalCheck: Sendable {
    package let certificate: Examination.Certificate
    /// Seconds since 1970.
    package let now: Int64

    package init(certificate: Examination.Certificate, now: Int64) {
        self.certificate = certificate
        self.now = now
    }

    package func findings() -> [Finding] {
        let reason = certificate.problem ?? "the server has not looked at it yet"
        let next = certificate.nextTry.map { "; the next try is at \($0)" } ?? ""
        guard certificate.isThere, let endsAt = certificate.endsAt else {
            return [
                .problem(
                    "CERTIFICATE_MISSING", certificate.name, "no certificate yet: \(reason)\(next)",
                    "See homing certificate check \(certificate.name), mend it, then homing certificate renew \(certificate.name)."
                )
            ]
        }
        let days = CertificateEnd(seconds: endsAt).daysLeft(at: now)
        let left = "\(Printable.count(days, "day")) left"
        guard certificate.failures > 0 else {
            return [.ok("CERTIFICATE_RENEWAL_OK", certificate.name, "renewed by itself; \(left)")]
        }
        let seen =
            "its renewal has failed \(Printable.count(certificate.failures, "time")), \(left): \(reason)\(next)"
        let advice = "See homing certificate check \(certificate.name), and mend it before the certificate ends."
        return [
            days < 7
                ? .problem("CERTIFICATE_RENEWAL_FAILS", certificate.name, seen, advice)
                : .warning("CERTIFICATE_RENEWAL_FAILS", certificate.name, seen, advice)
        ]
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The observations of a TLS handshake with a server.
package struct CertificateLook: Sendable, Equatable {
    package enum Fault: Sendable, Equatable {
        case ended, notYetValid, otherHost
        case notTrusted(reason: String)
        /// TLS failed before any certificate.
        case noTLS(reason: String)
    }

    package let fault: Fault?
    package let end: CertificateEnd?

    package init(fault: Fault?, end: CertificateEnd?) {
        self.fault = fault
        self.end = end
    }

    /// The findings for each kind of fault, about `subject`; `prefix` begins the codes.
    package func findings(_ subject: String, prefix: String = "CERTIFICATE", now: Int64) -> [Finding] {
        let until = end.map { ", good until \($0.day)" } ?? ""
        switch fault {
        case .ended:
            let day = end.map { " on \($0.day)" } ?? ""
            return [
                .problem(
                    "\(prefix)_EXPIRED", subject, "the certificate ended\(day)", "Renew the certificate and load it.")
            ]
        case .notYetValid:
            return [
                .problem(
                    "\(prefix)_NOT_YET_VALID", subject, "the certificate is not valid yet",
                    "Set the clocks right, or wait until the certificate begins.")
            ]
        case .otherHost:
            return [
                .problem(
                    "\(prefix)_HOST_MISMATCH", subject, "the certificate is for other hosts\(until)",
                    "Get a certificate that names this host.")
            ]
        case .notTrusted(let reason):
            return [
                .problem(
                    "\(prefix)_NOT_TRUSTED", subject, reason,
                    "Use a certificate of a public authority and serve its intermediates too; --ca FILE trusts a private one."
                )
            ]
        case .noTLS(let reason):
            return [
                .problem(
                    "HOST_UNREACHABLE", subject, reason,
                    "Make the host answer https on this port, from here and from the internet.")
            ]
        case nil:
            return [age(subject, prefix, now)]
        }
    }

    /// Below 21 days an automatic renewal has failed already; below seven nobody may be there to notice.
    private func age(_ subject: String, _ prefix: String, _ now: Int64) -> Finding {
        guard let end else { return .ok("\(prefix)_OK", subject, "the certificate is valid") }
        let days = end.daysLeft(at: now)
        let seen = "the certificate ends in \(Printable.count(days, "day")), on \(end.day)"
        let advice = "Renew the certificate now and see why that did not happen by itself."
        return switch days {
        case ..<7: .problem("\(prefix)_EXPIRES_SOON", subject, seen, advice)
        case ..<21: .warning("\(prefix)_EXPIRES_SOON", subject, seen, advice)
        default: .ok("\(prefix)_OK", subject, seen)
        }
    }
}

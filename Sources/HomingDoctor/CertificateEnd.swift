// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
internal import HomingCurl
import HomingStore

/// The end of a certificate, from the spelling that TLS libraries print: `Nov 20 06:35:42 2026 GMT`.
package struct CertificateEnd: Sendable, Equatable {
    /// Seconds since 1970.
    package let seconds: Int64

    package init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Nil when libcurl cannot read the text as a date; other TLS libraries than OpenSSL have other spellings.
    package init?(parsing text: String) {
        guard let seconds = CurlTransfer.date(text) else { return nil }
        self.init(seconds: seconds)
    }

    /// The number of whole days left; negative once the certificate has ended.
    package func daysLeft(at now: Int64) -> Int {
        let left = seconds - now
        return Int(left >= 0 ? left / 86_400 : (left - 86_399) / 86_400)
    }

    /// `2026-11-20`, in UTC.
    package var day: String { Moment(seconds: seconds).day }
}

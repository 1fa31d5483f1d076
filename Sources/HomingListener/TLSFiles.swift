// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The paths of a certificate with its chain and of its private key, both PEM.
package struct TLSFiles: Sendable, Hashable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

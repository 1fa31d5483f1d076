// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Where a certificate with its chain and its private key lie, both PEM.
package struct TLSFiles: Sendable, Hashable {
    package let certificate: String
    package let key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCertificates
import Testing

@Suite struct `A certificate that an authority hands out` {
    @Test(arguments: [
        "", "<html>", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\n%%%%\n-----END CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\n",
    ])
    func `is refused where it cannot be read, so that the next order is hours later`(chain: String) {
        #expect(throws: CertificateForm.Unusable.self) {
            try CertificateForm.issued(chain, for: "links.shop.example", key: ACMEKey.newPEM())
        }
    }
}

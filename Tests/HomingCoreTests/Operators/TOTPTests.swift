// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct TOTPTests {
    /// The secret of RFC 6238, appendix B.
    private let totp = TOTP(secret: Array("12345678901234567890".utf8))

    /// The last six digits of the appendix's eight.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `the codes are those of the standard`(seconds: Int64, code: String) {
        #expect(totp.code(at: Moment(milliseconds: seconds * 1000)) == code)
    }

    @Test func `a code is taken half a minute early and late, and no longer`() {
        let now = Moment(milliseconds: 1_700_000_010_000)
        for (offset, isTaken) in [(-60, false), (-30, true), (0, true), (30, true), (60, false)] {
            let code = totp.code(at: now.adding(seconds: Int64(offset)))
            #expect((totp.step(of: code, at: now) != nil) == isTaken, "\(offset)")
        }
        for wrong in ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦"] { #expect(totp.step(of: wrong, at: now) == nil) }
    }

    @Test func `an app gets the secret in base32`() {
        #expect(totp.secretInWords == "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ")
        #expect(
            totp.url(account: "ann@example.com")
                == "otpauth://totp/Homing:ann%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Homing")
    }
}

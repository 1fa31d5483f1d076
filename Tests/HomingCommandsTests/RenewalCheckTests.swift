// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingDoctor
import Testing

@Suite struct `What the doctor says of certificates that come by themselves` {
    private func codes(_ certificate: Examination.Certificate) -> [String] {
        RenewalCheck(certificate: certificate, now: 1_000_000).findings().map { "\($0.level) \($0.code)" }
    }

    @Test func `one that is missing is a problem, a renewal that fails is one when the end is near`() {
        let end: Int64 = 1_000_000 + 30 * 86_400
        #expect(
            codes(.init(name: "a.example", isThere: false, problem: "no address")) == ["problem CERTIFICATE_MISSING"])
        #expect(codes(.init(name: "a.example", isThere: true, endsAt: end)) == ["ok CERTIFICATE_RENEWAL_OK"])
        #expect(
            codes(.init(name: "a.example", isThere: true, failures: 2, endsAt: end))
                == ["warning CERTIFICATE_RENEWAL_FAILS"])
        #expect(
            codes(.init(name: "a.example", isThere: true, failures: 2, endsAt: 1_000_000 + 86_400))
                == ["problem CERTIFICATE_RENEWAL_FAILS"])
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import Testing

@Suite struct MomentTests {
    @Test func `a time that is written and read again is the same to the millisecond`() throws {
        for milliseconds in stride(from: Int64(1_700_000_000_000), to: 1_900_000_000_000, by: 97_777_777) {
            let moment = Moment(milliseconds: milliseconds)
            #expect(Moment(timestamp: moment.timestamp) == moment)
        }
        #expect(Moment(milliseconds: 1_577_836_800_007).timestamp == "2020-01-01T00:00:00.007Z")
        #expect(Moment(milliseconds: -1).timestamp == "1969-12-31T23:59:59.999Z")
    }

    @Test func `a time has a date, a clock and a zone`() {
        let said = Moment(timestamp: "2026-12-24T19:00:00.5+01:00")
        #expect(said == Moment(timestamp: "2026-12-24T18:00:00.500Z") && said != nil)
        for text in [
            "", "20261224", "1766599200000", "2026-12-24", "2026-12-24 18:00:00Z", "2026-12-24T18:00:00", "tomorrow",
        ] {
            #expect(Moment(timestamp: text) == nil, "\(text)")
        }
    }
}

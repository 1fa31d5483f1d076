// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingOperations
import Testing
import Tracing

/// The header by which a trace travels (W3C Trace Context, section 3.2).
@Suite struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test func `the place in a trace is read, and written as it was`() {
        let header = "00-\(Self.trace)-\(Self.span)-01"
        let place = TraceContext(parsing: header)
        #expect(place == TraceContext(trace: Self.trace, span: Self.span))
        #expect(place?.header == header)
        #expect(TraceContext(parsing: "00-\(Self.trace)-\(Self.span)-00") == place)
        #expect(TraceContext(parsing: "cc-\(Self.trace)-\(Self.span)-01-what-the-future-will-be-like") == place)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-more", "ff-\(trace)-\(span)-01",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-\(span)-01", "00-\(trace)x-\(span)-01", "00-\(trace)-\(span)-1",
        "00-\(trace)-\(span)-zz", "0-\(trace)-\(span)-01", "00_\(trace)_\(span)_01", "é0-\(trace)-\(span)-01",
    ])
    func `a header that is none begins no trace`(header: String) {
        #expect(TraceContext(parsing: header) == nil)
    }

    @Test func `a part belongs to the trace of the whole, and another request to another trace`() {
        let whole = TraceContext(below: nil)
        let part = TraceContext(below: whole)
        #expect(part.trace == whole.trace && part.span != whole.span)
        #expect(TraceContext(below: nil).trace != whole.trace)
        #expect(TraceContext(parsing: part.header) == part)
    }
}

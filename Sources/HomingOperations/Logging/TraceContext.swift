// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire
package import Tracing

/// The place of a span in its trace, as it travels between programs (W3C Trace Context, section 3.2).
package struct TraceContext: Sendable, Equatable {
    /// 32 hexadecimal digits.
    package let trace: String
    /// 16 hexadecimal digits.
    package let span: String

    package static let fieldName = "traceparent"

    package init(trace: String, span: String) {
        self.trace = trace
        self.span = span
    }

    /// A span of a trace; of a new one unless another program or another span has begun it.
    package init(below parent: TraceContext?) {
        trace = parent?.trace ?? Self.random() + Self.random()
        span = Self.random()
    }

    /// The value of the header, `00-TRACE-SPAN-FLAGS`. Nil for one that the specification calls invalid; later versions
    /// may add something at the end.
    package init?(parsing text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[3].count == 2, text.utf8.count <= 512 else { return nil }
        let version = String(Substring(parts[0]))
        guard version != "ff", version != "00" || parts.count == 4 else { return nil }
        for (part, length) in zip(parts, [2, 32, 16, 2]) {
            guard part.count == length, part.allSatisfy(Self.isLowercaseDigit) else { return nil }
        }
        guard parts[1].contains(where: { $0 != zero }), parts[2].contains(where: { $0 != zero }) else { return nil }
        trace = String(Substring(parts[1]))
        span = String(Substring(parts[2]))
    }

    /// The value of the header for another program. Every span is recorded.
    package var header: String { "00-\(trace)-\(span)-01" }

    private static func isLowercaseDigit(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    /// Never all zeros, which would be no id.
    private static func random() -> String {
        let number = UInt64.random(in: 1...UInt64.max)
        return Hexadecimal.encode(withUnsafeBytes(of: number.bigEndian) { Array($0) })
    }
}

private let zero = UInt8(ascii: "0")

extension ServiceContext {
    private enum Key: ServiceContextKey {
        typealias Value = TraceContext
    }

    package var trace: TraceContext? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }
}

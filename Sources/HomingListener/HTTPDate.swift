// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The `Date` field of answers (RFC 9110 section 5.6.7), written once a second.
final class HTTPDate: Sendable {
    private struct Written {
        var second = 0
        var text = ""
    }

    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private let written = Mutex(Written())

    var now: String {
        var second = time(nil)
        return written.withLock { written in
            guard written.second != second else { return written.text }
            var parts = tm()
            gmtime_r(&second, &parts)
            written = Written(second: second, text: Self.text(parts))
            return written.text
        }
    }

    private static func text(_ parts: tm) -> String {
        func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)])"
        return "\(day) \(1900 + parts.tm_year) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) GMT"
    }
}

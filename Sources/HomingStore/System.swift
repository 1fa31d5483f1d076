// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingWire
import Logging

/// The clock, randomness and the log of security events, passed in so that a test controls them.
package struct System: Sendable {
    package let now: @Sendable () -> Moment
    package let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    package let report: @Sendable (SecurityEvent) -> Void

    package init(
        now: @escaping @Sendable () -> Moment, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        report: @escaping @Sendable (SecurityEvent) -> Void
    ) {
        self.now = now
        self.randomBytes = randomBytes
        self.report = report
    }

    /// The machine's clock, the kernel's random numbers and the process's log.
    package static let real = System(
        now: { Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        randomBytes: { count in
            [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
                // One call of the kernel for all bytes; the kernel grants up to 256 bytes in one call.
                if getentropy(buffer.baseAddress, count) != 0 {
                    var generator = SystemRandomNumberGenerator()
                    for index in 0..<count { buffer.initializeElement(at: index, to: generator.next()) }
                }
                filled = count
            }
        },
        report: { securityLog.report($0, at: Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))) })

    /// Each event makes its logger, because this value may be in use before the log is set up.
    private static let securityLog = SecurityLog { $0.log(to: Logger(label: "homing.security"), more: $1) }

    /// Letters and digits drawn evenly: account ids (28 of them, as production makes them), API keys.
    package func randomName(length: Int) -> String {
        var name: [UInt8] = []
        name.reserveCapacity(length + 8)
        while name.count < length {
            // Draws a few more bytes than needed, because bytes above the last whole multiple of 62 would favour the
            // first letters and are left out.
            for byte in randomBytes(length + 8) where byte < 248 { name.append(ASCII.alphanumerics[Int(byte) % 62]) }
        }
        return String(decoding: name.prefix(length), as: UTF8.self)
    }

    /// Six bytes of milliseconds and then random ones, as version 7 of RFC 9562's identifiers: rows made together lie
    /// together in an index, so that a commit writes one page of it for all of them and not one for each.
    package func orderedBytes(_ count: Int) -> [UInt8] {
        withUnsafeBytes(of: now().milliseconds.bigEndian) { [UInt8]($0.suffix(6)) } + randomBytes(count - 6)
    }

    /// An ordered identifier in letters and digits, the first eight of them the time: ids of mails. It sorts by bytes.
    package func orderedName(length: Int) -> String {
        let letters = UInt64(ASCII.alphanumerics.count)
        var time = [UInt8](repeating: ASCII.alphanumerics[0], count: 8)
        var rest = UInt64(max(0, now().milliseconds))
        for index in time.indices.reversed() {
            time[index] = ASCII.alphanumerics[Int(rest % letters)]
            rest /= letters
        }
        return String(decoding: time, as: UTF8.self) + randomName(length: length - time.count)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Time and chance, passed in so that a test can hold both still.
package struct Surroundings: Sendable {
    package let now: @Sendable () -> Moment
    package let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    package init(now: @escaping @Sendable () -> Moment, randomBytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The machine's clock and the kernel's random numbers.
    package static let real = Surroundings(
        now: { Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) },
        randomBytes: { count in
            // Eight bytes for each call of the kernel.
            var generator = SystemRandomNumberGenerator()
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 7)
            while bytes.count < count {
                withUnsafeBytes(of: generator.next() as UInt64) { bytes.append(contentsOf: $0) }
            }
            bytes.removeLast(bytes.count - count)
            return bytes
        })

    /// Letters and digits drawn evenly: account ids (28 of them, as production makes them), API keys, mail ids.
    package func randomName(length: Int) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        var name: [UInt8] = []
        while name.count < length {
            // Bytes above the last whole multiple of 62 would favour the first letters.
            name += randomBytes(length).filter { $0 < 248 }.map { alphabet[Int($0) % 62] }
        }
        return String(decoding: name.prefix(length), as: UTF8.self)
    }
}

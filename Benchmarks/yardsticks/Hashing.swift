// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibArgon2
import Dispatch
import Foundation
import Synchronization

/// argon2id alone, with the parameters that Homing stores passwords with, on every core at once.
enum Hashing {
    private struct Report: Encodable {
        let hashes: Int
        let threads: Int
        let seconds: Double
        let rate: Double
    }

    private static let memory: UInt32 = 19 * 1024  // KiB
    private static let passes: UInt32 = 2
    private static let lanes: UInt32 = 1

    static func measure(_ options: Options) throws {
        let seconds: Double = try options.number("seconds", default: 3)
        let threads: Int = try options.number("threads", default: ProcessInfo.processInfo.activeProcessorCount)
        let hashes = Atomic(0)
        let failures = Atomic(0)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            while start.duration(to: .now) < .seconds(seconds) {
                if hash("correct horse \(thread)") {
                    hashes.add(1, ordering: .relaxed)
                } else {
                    failures.add(1, ordering: .relaxed)
                }
            }
        }
        let spent = start.duration(to: .now) / .seconds(1)
        guard failures.load(ordering: .relaxed) == 0 else { throw Fault("argon2id refused to hash") }
        let count = hashes.load(ordering: .relaxed)
        try report(Report(hashes: count, threads: threads, seconds: spent, rate: Double(count) / spent))
    }

    private static func hash(_ password: String) -> Bool {
        let salt = [UInt8](repeating: 7, count: 16)
        var output = [UInt8](repeating: 0, count: 32)
        let size = output.count
        return argon2id_hash_raw(
            passes, memory, lanes, password, password.utf8.count, salt, salt.count, &output, size) == ARGON2_OK.rawValue
    }
}

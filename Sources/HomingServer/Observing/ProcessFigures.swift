// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// What the system says of this process.
struct ProcessFigures {
    /// 0 where the system does not say.
    let residentBytes: Int
    let processorSeconds: Double

    init() {
        // The second number of `statm` is in pages (proc(5)).
        let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        residentBytes = pages * Int(getpagesize())
        // POSIX wants a million of these a second.
        processorSeconds = Double(clock()) / 1_000_000
    }
}

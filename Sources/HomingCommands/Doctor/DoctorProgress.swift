// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import Synchronization

/// One line on standard error that says what is waited for; only a terminal gets it, and it is gone at the end.
final class DoctorProgress: Sendable {
    private let isShown = isatty(STDERR_FILENO) == 1
    private let width = Mutex(0)

    func show(total: Int, ended: Int, last: String) {
        write("\(ended) of \(total) looked at, last \(last)")
    }

    func begin() {
        write("asking hosts, relay and name servers")
    }

    func end() {
        write("")
    }

    private func write(_ text: String) {
        guard isShown else { return }
        width.withLock { width in
            let line = String(text.prefix(78))
            let blank = String(repeating: " ", count: max(0, width - line.count))
            width = line.count
            Descriptor.write("\r\(line)\(blank)\(line.isEmpty ? "\r" : "")", to: Descriptor.errors)
        }
    }
}

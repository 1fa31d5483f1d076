// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// The output of a server's log: a thread of its own writes to standard error, so that a reader who stops reading
/// delays no request. Up to a mebibyte waits for such a reader; after that lines are lost, and the log reports their
/// number.
///
/// `@unchecked Sendable`: everything that changes is touched under `lock` only.
package final class LogOutput: @unchecked Sendable {
    private static let most = 1 << 20

    private let descriptor: CInt
    /// Makes the line that reports the number of lost lines.
    private let notice: @Sendable (_ lost: Int) -> String
    private let lock = NSCondition()
    private var waiting: [UInt8] = []
    private var lost = 0
    private var isWriting = false

    /// - Parameters:
    ///   - descriptor: standard error, unless a test says otherwise.
    ///   - notice: the line, with its line feed.
    package init(descriptor: CInt = 2, notice: @escaping @Sendable (_ lost: Int) -> String) {
        self.descriptor = descriptor
        self.notice = notice
        let thread = Thread { [self] in serve() }
        thread.name = "homing-log"
        thread.start()
    }

    /// Takes a whole line; two lines never mix. Never waits.
    package func write(_ line: String) {
        lock.lock()
        defer { lock.unlock() }
        guard waiting.count + line.utf8.count <= Self.most else {
            lost += 1
            return
        }
        // A thread that writes looks again by itself; waking it costs more than the line.
        let isAsleep = waiting.isEmpty && !isWriting
        if lost > 0 {
            waiting += notice(lost).utf8
            lost = 0
        }
        waiting += line.utf8
        if isAsleep { lock.signal() }
    }

    /// Waits until everything is written, but not for long: the reader may have stopped reading.
    package func drain(atMost seconds: Double) {
        let end = Date(timeIntervalSinceNow: seconds)
        lock.lock()
        defer { lock.unlock() }
        while isWriting || !waiting.isEmpty {
            guard lock.wait(until: end) else { return }
        }
    }

    private func serve() {
        while true {
            lock.lock()
            while waiting.isEmpty { lock.wait() }
            let lines = waiting
            waiting = []
            isWriting = true
            lock.unlock()
            // An error cannot be reported, since errors are reported here.
            Descriptor.write(lines, to: descriptor)
            lock.lock()
            isWriting = false
            lock.broadcast()
            lock.unlock()
        }
    }
}

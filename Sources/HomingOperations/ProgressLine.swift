// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// One line on standard error that is overwritten as work goes on, and removed at the end.
///
/// Only a terminal gets the line: a script finds only errors on standard error.
package final class ProgressLine: Sendable {
    private struct Shown {
        var task = ""
        var since = ContinuousClock.now
        var width = 0
    }

    private let shown = Mutex(Shown())

    private init() {}

    package static func during<Result>(_ work: (ProgressReporter) async throws -> Result) async rethrows -> Result {
        guard isatty(STDERR_FILENO) == 1 else { return try await work(.unseen) }
        let line = ProgressLine()
        defer { line.clear() }
        return try await work(ProgressReporter(line.show))
    }

    private func show(_ progress: Progress) {
        shown.withLock { shown in
            let now = ContinuousClock.now
            if !shown.task.utf8.elementsEqual(progress.task.utf8) { (shown.task, shown.since) = (progress.task, now) }
            let text = Printable.line(
                progress.line(after: now - shown.since, columns: Self.columns - 1), atMost: 4_096)
            let painted = Self.isPainted ? Self.painted(text, task: progress.task) : text
            Descriptor.write("\r\(painted)\(Self.blanks(shown.width - text.utf8.count))", to: Descriptor.errors)
            shown.width = text.utf8.count
        }
    }

    private func clear() {
        shown.withLock { shown in
            if shown.width > 0 { Descriptor.write("\r\(Self.blanks(shown.width))\r", to: Descriptor.errors) }
            shown.width = 0
        }
    }

    /// Asked once, as a line is written many times.
    private static let isPainted = TerminalStyle.isShown(onTerminal: true)

    private static func painted(_ text: String, task: String) -> String {
        guard text.utf8.starts(with: task.utf8) else { return text }
        return TerminalStyle.painted(text, [TerminalStyle.Part(.heading, from: 0, length: task.utf8.count)])
    }

    private static func blanks(_ count: Int) -> String {
        String(repeating: " ", count: max(0, count))
    }

    /// A line that wraps could not be overwritten.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 80 }
        return Int(size.ws_col)
    }
}

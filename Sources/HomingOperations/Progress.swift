// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire
internal import Synchronization

/// The progress of a piece of work.
package struct Progress: Codable, Sendable, Equatable {
    package enum Unit: String, Codable, Sendable {
        case bytes
        /// Things that are counted, such as hosts or rows.
        case items
    }

    /// The present work, such as "importing".
    package let task: String
    package let done: Int64
    /// Nil where the total is unknown.
    package let total: Int64?
    package let unit: Unit
    /// A note, such as "1200 rows".
    package let detail: String?

    package init(_ task: String, done: Int64, of total: Int64?, _ unit: Unit, detail: String? = nil) {
        self.task = task
        self.done = done
        self.total = total
        self.unit = unit
        self.detail = detail
    }

    /// One line of at most so many characters; the least important part is left out first.
    package func line(after elapsed: Duration, columns: Int) -> String {
        var pieces = [task]
        let share = total.flatMap { $0 > 0 ? min(1, max(0, Double(done) / Double($0))) : nil }
        if let share {
            let filled = Int(share * 20)
            pieces.append("\(Int(share * 100)) %")
            pieces.append("[\(String(repeating: "#", count: filled))\(String(repeating: "-", count: 20 - filled))]")
        }
        if let detail { pieces.append(detail) }
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
        switch unit {
        case .items: if let total { pieces.append("\(done) of \(total)") }
        case .bytes:
            // The first moment tells nothing about the rest.
            if seconds >= 1, done > 0 {
                let rate = Double(done) / seconds
                if let total, total > done { pieces.append("\(Self.time(Double(total - done) / rate)) left") }
                pieces.append("\(Self.size(Int64(rate)))/s")
            }
            pieces.append(total.map { "\(Self.size(done)) of \(Self.size($0))" } ?? Self.size(done))
        }
        var line = ""
        for piece in pieces {
            let longer = line.isEmpty ? piece : "\(line)  \(piece)"
            guard longer.utf8.count <= columns else { break }
            line = longer
        }
        return Printable.ascii(line)
    }

    private static func size(_ bytes: Int64) -> String {
        bytes < 1_000_000 ? "\(bytes / 1000) kB" : "\(bytes / 1_000_000) MB"
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 360_000)) + 1
        return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }
}

/// Sends a command's progress to the watcher a few times a second; without a watcher, to nobody.
package final class ProgressReporter: Sendable {
    package static let unseen = ProgressReporter(nil)
    private static let pause = Duration.milliseconds(100)

    private let show: (@Sendable (Progress) -> Void)?
    private let shown = Mutex<(task: String, at: ContinuousClock.Instant)?>(nil)

    package init(_ show: (@Sendable (Progress) -> Void)?) {
        self.show = show
    }

    package var isSeen: Bool { show != nil }

    package func callAsFunction(_ progress: @autoclosure () -> Progress) {
        guard let show else { return }
        let progress = progress()
        let now = ContinuousClock.now
        let isDue = shown.withLock { shown in
            if let last = shown, last.task.utf8.elementsEqual(progress.task.utf8), now - last.at < Self.pause {
                return false
            }
            shown = (progress.task, now)
            return true
        }
        if isDue { show(progress) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Foundation
import HomingCore
package import HomingStore
internal import HomingWire
package import Logging

/// Writes each entry as one line to stderr: a JSON object, or text for a person at a terminal.
///
/// All text from outside is escaped, capped and redacted here, the only exit for lines: no entry can end its line,
/// control the terminal, fill the disk, or hold a code.
package struct JSONLogHandler: LogHandler {
    /// The level of all loggers; a single one can be made quieter, never louder.
    package var logLevel: Logger.Level {
        get { max(ownLevel, level.value) }
        set { ownLevel = newValue }
    }
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?

    private var ownLevel = Logger.Level.trace
    private let level: Live<Logger.Level>
    private let label: String
    private let format: LogFormat
    private let now: @Sendable () -> Date
    private let write: @Sendable (String) -> Void

    /// The greatest size of a message or one value of the metadata, in bytes.
    package static let largestValue = 1_024
    private static let largestFieldCount = 64

    /// - Parameters:
    ///   - now: the clock.
    ///   - write: takes a line with its line feed.
    package init(
        label: String,
        level: Live<Logger.Level>,
        format: LogFormat,
        now: @escaping @Sendable () -> Date = { Date() },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.label = label
        self.format = format
        self.now = now
        self.write = write
        self.level = level
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var fields = metadata
        fields.merge(metadataProvider?.get() ?? [:]) { $1 }
        fields.merge(event.metadata ?? [:]) { $1 }
        if let error = event.error { fields["error"] = "\(error)" }
        let pairs = fields.sorted { $0.key < $1.key }.prefix(Self.largestFieldCount)
            .map { (key: Self.fit($0.key), value: Self.fit("\($0.value)")) }
        write(line(event.level, Self.fit("\(event.message)"), pairs))
    }

    /// An entry's line, with its line feed.
    package func line(_ level: Logger.Level, _ message: String, _ pairs: [(key: String, value: String)] = []) -> String
    {
        switch format {
        case .json: json(level, message, pairs)
        case .text: text(level, message, pairs)
        }
    }

    private static let headKeys: Set = ["time", "level", "logger", "message"]

    private func json(_ level: Logger.Level, _ message: String, _ pairs: [(key: String, value: String)]) -> String {
        let head = [("time", timestamp), ("level", level.rawValue), ("logger", label), ("message", message)]
        // A duplicate key would be read differently by each reader.
        let tail = pairs.map { (Self.headKeys.contains($0.key) ? "\($0.key)_" : $0.key, $0.value) }
        let members = (head + tail).map { "\(Printable.quoted($0)):\(Printable.quoted($1))" }
        return "{\(members.joined(separator: ","))}\n"
    }

    private func text(_ level: Logger.Level, _ message: String, _ pairs: [(key: String, value: String)]) -> String {
        let shown = pairs.map { " \(Printable.line($0.key, atMost: .max))=\(Printable.quoted($0.value))" }
        return "\(timestamp) \(level.rawValue) \(Printable.line(message, atMost: .max))\(shown.joined())\n"
    }

    private var timestamp: String {
        now().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The text is redacted first and cut afterwards, so that no cut leaves the first half of a secret.
    private static func fit(_ text: String) -> String {
        let bounded = text.utf8.count > 64 * largestValue ? String(text.unicodeScalars.prefix(64 * largestValue)) : text
        let redacted = SecretMask.masked(bounded)
        guard redacted.utf8.count > largestValue else { return redacted }
        var end = redacted.utf8.index(redacted.startIndex, offsetBy: largestValue)
        while end > redacted.startIndex, end.samePosition(in: redacted.unicodeScalars) == nil {
            end = redacted.utf8.index(before: end)
        }
        return "\(redacted[..<end])…"
    }
}

/// The format of a line of the log.
package enum LogFormat: String, Sendable {
    /// One JSON object.
    case json
    /// For people: time, level, message.
    case text
}

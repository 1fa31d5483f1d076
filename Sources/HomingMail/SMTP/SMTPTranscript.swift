// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Follows one mail's dialogue through the bytes that libcurl sends and receives, so that afterwards we know which
/// command the relay's last reply answers. Of a command only the verb is read, and nothing that we sent is kept.
struct SMTPTranscript: Sendable {
    /// The relay's code of three digits and its last line.
    struct Reply: Sendable, Equatable {
        let code: Int
        fileprivate let line: [UInt8]
        /// Masked only when somebody asks: of the replies to a mail one is kept.
        var text: String { SMTPTranscript.printable(line) }
    }

    private(set) var stage = SMTPStage.greeting
    /// The reply to the current stage; nil while it is awaited.
    private(set) var reply: Reply?
    /// Whether the relay sent anything since the dialogue for this mail began.
    private(set) var hasHeard = false
    /// Set after our QUIT; the relay's reply to it does not matter.
    private(set) var isOver = false

    /// Takes a command as it went out, line break included.
    mutating func sent(_ command: some Collection<UInt8>) {
        guard !isOver else { return }
        // A line without a verb continues AUTH, the one command that has answers in several steps.
        let next = Self.stage(of: command) ?? stage
        if next == .farewell {
            isOver = true
        } else {
            stage = next
            reply = nil
        }
    }

    /// Takes one line from the relay. Of a reply in several lines the last one counts.
    mutating func received(_ line: some Collection<UInt8>) {
        guard !isOver else { return }
        hasHeard = true
        let start = Array(line.prefix(4))
        guard start.count >= 3, let code = Int(String(decoding: start.prefix(3), as: UTF8.self)),
            start.count == 3 || start[3] != UInt8(ascii: "-")
        else { return }
        if stage == .data, code == 354 {
            stage = .message
            reply = nil
        } else {
            reply = Reply(code: code, line: Array(line))
        }
    }

    private static func stage(of command: some Collection<UInt8>) -> SMTPStage? {
        let verb = String(decoding: command.prefix(while: ASCII.isLetterOrDigit), as: UTF8.self)
        return switch verb {
        case "EHLO", "HELO": .hello
        case "STARTTLS": .startTLS
        case "AUTH": .authentication
        case "MAIL": .sender
        case "RCPT": .recipient
        case "DATA": .data
        case "QUIT": .farewell
        default: nil
        }
    }

    /// At most 200 bytes of printable ASCII, codes masked.
    static func printable(_ line: [UInt8]) -> String { SecretMask.line(line, atMost: 200) }
}

/// The stages of a dialogue with the relay. Their order is the order on the wire.
package enum SMTPStage: Int, Sendable, Comparable, CaseIterable {
    /// Connecting, TLS from the first byte, and the relay's first line.
    case greeting
    case hello
    case startTLS
    case authentication
    case sender
    case recipient
    case data
    /// The message is on its way, or has gone and its reply is awaited.
    case message
    case farewell

    package static func < (one: SMTPStage, other: SMTPStage) -> Bool { one.rawValue < other.rawValue }
}

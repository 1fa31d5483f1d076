// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Follows one mail's dialogue from what libcurl sends and receives, so that afterwards it is known which command the
/// relay's last words answer. Of a command only the verb is looked at, and nothing that we sent is kept.
struct SMTPTranscript: Sendable {
    /// The relay's code of three digits and its last line.
    struct Reply: Sendable, Equatable {
        let code: Int
        let text: String
    }

    private(set) var stage = SMTPStage.greeting
    /// The reply to the current stage; nil while it is awaited.
    private(set) var reply: Reply?
    /// Whether the relay said anything since the dialogue for this mail began.
    private(set) var hasHeard = false
    /// Set once we took our leave; what the relay says to that is of no interest.
    private(set) var isOver = false

    /// Takes a command as it went out, line break included.
    mutating func sent(_ command: some Collection<UInt8>) {
        guard !isOver else { return }
        // What is no verb goes on with AUTH, which is the one command that has answers in several steps.
        let next = Self.stage(of: command) ?? stage
        if next == .farewell {
            isOver = true
        } else {
            stage = next
            reply = nil
        }
    }

    /// Takes one line of the relay's as it came in. Of a reply in several lines the last one counts.
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
            reply = Reply(code: code, text: Self.printable(line))
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

    /// At most 200 bytes of printable ASCII: the text is shown on terminals and kept in the database. A relay may
    /// quote the message that it refuses, with its code.
    static func printable(_ line: some Collection<UInt8>) -> String {
        let kept = String(decoding: line.prefix(4_096).filter(ASCII.isPrintable), as: UTF8.self)
        return String(decoding: SecretMask.masked(kept).utf8.prefix(200), as: UTF8.self)
    }
}

/// How far the dialogue with the relay has come. The order is the order on the wire.
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

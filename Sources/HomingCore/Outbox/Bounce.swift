// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// The report of a mail server about one recipient of a mail (RFC 3464, section 2.3), and what follows from it.
package struct Bounce: Sendable, Equatable {
    package enum Action: String, Sendable, CaseIterable {
        case failed, delayed, delivered, relayed, expanded
    }

    /// An enhanced status code (RFC 3463), such as 5.1.1.
    package struct Status: Sendable, Equatable, CustomStringConvertible {
        package let category: Int
        package let subject: Int
        package let detail: Int

        /// Nil for everything that is not `2`, `4` or `5` and two numbers of at most three digits.
        package init?(parsing text: some StringProtocol) {
            let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            let numbers = parts.compactMap { part -> Int? in
                guard (1...3).contains(part.count), part.allSatisfy(ASCII.isDigit) else { return nil }
                return Int(String(decoding: part, as: UTF8.self))
            }
            guard parts.count == 3, numbers.count == 3, [2, 4, 5].contains(numbers[0]) else { return nil }
            (category, subject, detail) = (numbers[0], numbers[1], numbers[2])
        }

        package var description: String { "\(category).\(subject).\(detail)" }
    }

    /// What a report changes; a later case changes more.
    package enum Verdict: Sendable, Comparable {
        /// Nothing: the mail may still arrive, or has arrived.
        case nothing
        /// The mail's row says that something came back.
        case noted
        /// The mail has failed. Its address is not at fault.
        case failed
        /// The mail has failed, because its address takes no mail.
        case suppressed
    }

    /// Nil where the report has none that can be read.
    package let action: Action?
    package let status: Status?
    package let diagnostic: String

    package init(action: Action?, status: Status?, diagnostic: String) {
        self.action = action
        self.status = status
        self.diagnostic = diagnostic
    }

    package var verdict: Verdict {
        switch action {
        case nil: return .noted
        case .delayed, .delivered, .relayed, .expanded: return .nothing
        case .failed: break
        }
        guard let status else { return .noted }
        switch (status.category, status.subject, status.detail) {
        // A server that has given up after temporary failures reports the last of these.
        case (4, _, _): return .failed
        // The address of the sender.
        case (5, 1, 7), (5, 1, 8): return .failed
        // A full mailbox, a mail that is too long.
        case (5, 2, 2), (5, 2, 3): return .failed
        // The state of servers, and their routes at that time: a bad connection, no directory, congestion, a loop, no
        // more time.
        case (5, 3, _), (5, 4, 2), (5, 4, 3), (5, 4, 5), (5, 4, 6), (5, 4, 7): return .failed
        // The dialogue, the message, the policy of a server.
        case (5, 5, _), (5, 6, _), (5, 7, _): return .failed
        // An unknown mailbox or domain, a mailbox that is closed, or no reason beyond "for good".
        case (5, _, _): return .suppressed
        default: return .noted
        }
    }

    /// The verdict on a mail from all reports about it. An address that leads to several people takes mail as long as
    /// one of them does, so the mildest report counts.
    package static func verdict(_ bounces: [Bounce]) -> Verdict {
        bounces.map(\.verdict).min() ?? .noted
    }

    /// The reason for an operator, of at most 300 bytes.
    package static func words(_ bounces: [Bounce]) -> String {
        let bounce = bounces.min { $0.verdict < $1.verdict }
        guard let bounce, let status = bounce.status else { return "came back without a status that can be read" }
        return SecretMask.line(Array("\(status) \(bounce.diagnostic)".utf8), atMost: 300)
    }
}

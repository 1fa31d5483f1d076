// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules
import HomingStore
import Synchronization

/// How often the links were opened that end after so many clicks. One node counts exactly: the last click that is let
/// through takes its place before it is answered. What other nodes have counted is read once a second, while people
/// click.
final class LinkClicks: Sendable {
    struct Key: Hashable {
        let project: Scope
        let domain: String
        let suffix: LinkSuffix
    }

    enum Answer {
        case admitted, over
        /// It is admitted, and has taken a place.
        case counted
        /// The number in the database has to be read first.
        case unknown
    }

    private struct Count {
        var total: Int64
        var readAt: Moment
        /// When this node last saw it grow; nil for one that it has not.
        var grownAt: Moment?
    }

    /// For so many milliseconds a number that was read is believed.
    private static let believed: Int64 = 1_000
    /// For so many seconds whoever made a click may go on to what it led to.
    private static let afterwards: Int64 = 600
    private static let mostLinks = 65_536

    private let counts = Mutex<[Key: Count]>([:])

    /// - Parameter isRead: whether the number was read just now.
    func take(_ use: LinkUse, of key: Key, most: Int64, at now: Moment, isRead: Bool = false) -> Answer {
        counts.withLock { counts in
            guard let count = counts[key],
                isRead || (0..<Self.believed).contains(now.milliseconds - count.readAt.milliseconds)
            else { return .unknown }
            let isOver = count.total >= most
            switch use {
            case .look: return isOver ? .over : .admitted
            case .afterClick where count.grownAt.map { now < $0.adding(seconds: Self.afterwards) } ?? false:
                return .admitted
            case .click, .afterClick:
                guard !isOver else { return .over }
                counts[key]?.total += 1
                counts[key]?.grownAt = now
                return .counted
            }
        }
    }

    /// - Parameter total: the number in the database, which lacks what this node has not yet written.
    func read(_ total: Int64, of key: Key, at now: Moment) {
        counts.withLock { counts in
            guard let count = counts[key] else {
                if counts.count >= Self.mostLinks { counts.removeAll() }
                counts[key] = Count(total: total, readAt: now)
                return
            }
            counts[key] = Count(
                total: max(count.total, total), readAt: now, grownAt: total > count.total ? now : count.grownAt)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
import Synchronization

/// How a person gets into the admin listener's pages: a one-time link, printed at start and by `homing mailbox`, that
/// becomes a cookie on POST.
package final class AdminDoors: Sendable {
    static let path = "/enter"
    private static let cookieName = "homing_admin"

    private struct State {
        var tickets: [String: Moment] = [:]
        var sessions: [String: Moment] = [:]
    }

    private let surroundings: Surroundings
    private let isSecure: Bool
    private let state = Mutex(State())

    package init(surroundings: Surroundings, isSecure: Bool) {
        self.surroundings = surroundings
        self.isSecure = isSecure
    }

    /// A link that opens the mailbox once and within the hour, relative to the admin listener.
    package func newTicket() -> String {
        let ticket = surroundings.randomName(length: 40)
        let expiry = surroundings.now().adding(seconds: 3600)
        state.withLock { $0.tickets[ticket] = expiry }
        return "\(Self.path)?ticket=\(ticket)"
    }

    /// Whether a ticket would still open something.
    func isGood(_ ticket: String) -> Bool {
        let now = surroundings.now()
        return state.withLock { state in state.tickets[ticket].map { now < $0 } ?? false }
    }

    /// Uses a ticket up and answers the cookie to set, or nil.
    func redeem(_ ticket: String) -> String? {
        let session = surroundings.randomName(length: 40)
        let now = surroundings.now()
        let expiry = now.adding(seconds: 43_200)
        let isGood = state.withLock { state in
            guard let end = state.tickets.removeValue(forKey: ticket), now < end else { return false }
            state.sessions[session] = expiry
            return true
        }
        guard isGood else { return nil }
        return "\(Self.cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict; Max-Age=43200"
            + (isSecure ? "; Secure" : "")
    }

    func isOpen(cookies: [String]) -> Bool {
        let now = surroundings.now()
        let values = cookies.flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
            let trimmed = pair.drop { $0 == " " }
            return trimmed.hasPrefix(Self.cookieName + "=") ? String(trimmed.dropFirst(Self.cookieName.count + 1)) : nil
        }
        return state.withLock { state in
            values.contains { value in state.sessions[value].map { now < $0 } ?? false }
        }
    }
}

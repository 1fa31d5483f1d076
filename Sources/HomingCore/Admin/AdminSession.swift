// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// A browser in which a person is signed in on the admin side.
package struct AdminSession: Sendable {
    /// The person, in a session of the console; nil in one that opens the mailbox only.
    package let person: Operator?
    let beganAt: Moment
    /// The digest of the cookie's secret; nobody can make a cookie from the digest.
    let digest: [UInt8]
    /// Whether the person has yet to set up the second factor that every operator must have, and sees nothing else
    /// before.
    package let lacksSecondFactor: Bool

    init(person: Operator?, beganAt: Moment, digest: [UInt8], lacksSecondFactor: Bool = false) {
        self.person = person
        self.beganAt = beganAt
        self.digest = digest
        self.lacksSecondFactor = lacksSecondFactor
    }

    /// Whether the session is the same as one of a list.
    package func isSame(as other: OpenAdminSession) -> Bool { digest == other.digest }

    /// Whether the person has signed in so lately that it is surely still the same one: for a change of how they sign
    /// in.
    package func isFresh(at now: Moment) -> Bool { now < beganAt.adding(seconds: 900) }

    /// Whether the session is enough for a page. Of the operators only owners read other people's mails.
    package func opens(_ page: AdminPage) -> Bool {
        switch page {
        case .mailbox: !lacksSecondFactor && person.map { $0.role == .owner } ?? true
        case .console: person != nil
        }
    }

    /// The token of a form in this session. The token is good for one path, and in no other session.
    package func formToken(for path: String, ring: KeyRing, at now: Moment) -> String {
        PageToken(ring: ring).make(step: path, code: Base64URL.encode(digest), project: "", at: now)
    }

    package func isToken(_ token: String, for path: String, ring: KeyRing, at now: Moment) throws(Refusal) -> Bool {
        try PageToken(ring: ring).isValid(
            token, step: path, code: Base64URL.encode(digest), project: "", at: now,
            lifetime: AdminSessions.sessionSeconds)
    }
}

/// What somebody has shown first, on the way to a session.
package enum FirstFactor: String, Sendable {
    /// A link that was mailed, or printed on the server.
    case link
    case password
}

/// What somebody has after a first factor: a session, or the wait for a code of the authenticator app.
package struct AdminEntry: Sendable {
    /// For a cookie; it can never be read again.
    package let secret: String
    package let page: AdminPage
    package let awaitsCode: Bool

    var seconds: Int64 { awaitsCode ? AdminSessions.codeSeconds : AdminSessions.sessionSeconds }
}

/// A session of an operator, as its owner sees it in a list.
package struct OpenAdminSession: Sendable {
    let digest: [UInt8]
    package let beganAt: Moment
    package let endsAt: Moment
    /// Nil for a session of before this was kept.
    package let firstFactor: FirstFactor?
    /// The caller who began it, in the form that the limits count.
    package let caller: String?

    /// Tells the session from others; nobody can make a cookie of it.
    package var id: String { Base64URL.encode(digest) }
}

/// A page of the admin side to which a one-time link leads.
package enum AdminPage: String, Sendable, CaseIterable {
    case mailbox, console

    package var path: String {
        switch self {
        case .mailbox: "/mailbox"
        case .console: "/console/"
        }
    }
}

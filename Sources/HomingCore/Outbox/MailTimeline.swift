// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingShortLinks
package import HomingStore

/// The life of one mail as far as it is known, in the order of time. Never a code.
package struct MailTimeline: Sendable, Equatable {
    package enum Step: String, Sendable, CaseIterable {
        case accepted
        /// An operator asked for another try.
        case retried
        /// The relay took the mail.
        case handedOver
        case failed
        case expired
        /// The other server lets the mail wait, as the provider says.
        case deferred
        /// The other server has taken the mail, as the provider says.
        case delivered
        case bounced
        /// Somebody called it spam, as the provider says.
        case complained
        /// A person's browser was shown the page of the link, or sent on to the app or its store.
        case opened
        /// The code was used, on our page or by the app.
        case applied
        /// The person followed Continue on the page that said so.
        case returned
        /// The mail waits for its next try, at that time.
        case due

        /// The step in the words of an operator.
        package var words: String {
            switch self {
            case .handedOver: "delivered to relay"
            case .due: "queued"
            default: rawValue
            }
        }
    }

    package struct Event: Sendable, Equatable {
        package let step: Step
        package let at: Moment
        /// The words of the relay, or of the server that returned the mail or lets it wait.
        package let note: String?
    }

    package let events: [Event]

    package init(_ mail: Outbox.Entry) {
        var events: [Event] = []
        func add(_ step: Step, _ moment: Moment?, _ note: String? = nil) {
            if let moment { events.append(Event(step: step, at: moment, note: note)) }
        }
        add(.accepted, mail.createdAt)
        add(.retried, mail.retriedAt)
        switch mail.state {
        case .queued: break
        case .sent: add(.handedOver, mail.endedAt, mail.lastReply)
        // A mail that comes back has failed after the relay had taken it.
        case .failed where mail.bouncedAt != nil: add(.handedOver, mail.endedAt, mail.lastReply)
        case .failed: add(.failed, mail.endedAt, mail.lastReply)
        case .expired: add(.expired, mail.endedAt, mail.lastReply)
        }
        add(.deferred, mail.deferredAt, mail.bouncedAt == nil ? mail.bounce : nil)
        add(.delivered, mail.deliveredAt)
        add(.bounced, mail.bouncedAt, mail.bounce)
        add(.complained, mail.complainedAt)
        add(.opened, mail.openedAt)
        add(.applied, mail.appliedAt)
        add(.returned, mail.returnedAt)
        add(.due, mail.nextAt, mail.lastReply)
        // At one moment the order of the steps decides.
        self.events = events.enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// The milliseconds from the request to a step in which the relay took the mail; nil of the other steps.
    package func handoverTime(of event: Event) -> Int64? {
        guard event.step == .handedOver, let request = events.first(where: { $0.step == .accepted }) else { return nil }
        return max(0, event.at.milliseconds - request.at.milliseconds)
    }

    /// The same for an operator: `after 0.084 s`.
    package func handoverWords(of event: Event) -> String? {
        handoverTime(of: event).map { "after \($0 / 1000).\(String(1000 + $0 % 1000).dropFirst()) s" }
    }
}

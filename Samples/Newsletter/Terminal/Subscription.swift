// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

/// The first situation: a subscription wants a verified address, and the mail comes back to the plan that was chosen.
extension Lighthouse {
    func subscribe() async throws {
        terminal.title("Subscribe")
        let choices = Plan.allCases.map(\.rawValue).joined(separator: ", ")
        let answer = try await terminal.ask("Which plan: \(choices)? [yearly]").lowercased()
        guard let plan = answer.isEmpty ? .yearly : Plan(rawValue: answer) else {
            return terminal.complain("There is no plan \(answer). Choose one of \(choices).")
        }
        try await subscribe(to: plan)
    }

    func subscribe(to plan: Plan) async throws {
        terminal.title("The \(plan.rawValue) plan")
        let place = Place.subscription(plan)
        let user = try await signedIn(for: place)
        if !user.isEmailVerified { try await verify(user, backTo: place) }
        terminal.say("Your address is verified. You chose the \(plan.rawValue) plan.")
        guard try await terminal.ask("Enter subscribes").isEmpty else { return terminal.say("Nothing is changed.") }
        let subscription = try await site.subscribe(to: plan, idToken: try await user.getIDToken())
        terminal.say("Thank you. The \(subscription.plan) plan is yours, \(subscription.email).")
    }

    /// Has a mail sent and waits until what it asks for is done.
    private func verify(_ user: User, backTo place: Place) async throws {
        try await user.sendEmailVerification(with: settings(backTo: place.url(on: site.url)))
        terminal.say("We write to subscribers, so verify your address first. Your plan is kept.")
        try await waitForMail(to: user.email ?? "you", then: place) {
            try await user.reload()
            return user.isEmailVerified
        }
    }
}

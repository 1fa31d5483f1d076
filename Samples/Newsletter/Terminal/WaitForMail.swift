// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth

extension Lighthouse {
    /// Waits while somebody is at their mail: for a link that is pasted, or for Enter when a page did what was to be
    /// done.
    ///
    /// - Parameter isDone: whether it was done.
    /// - Throws: ``Leaving/elsewhere(_:)`` when a link leads to another place than `place`.
    func waitForMail(
        to address: String, then place: Place, isDone: () async throws -> Bool = { true }
    ) async throws {
        terminal.say(
            """
            A mail is on its way to \(address), if that is a reader. The demo shows it at \(settings.mailbox)
            Open its link in a browser, press the button there, and paste where Continue leads. Or paste the mail's own \
            link: then it is done here.
            """)
        while true {
            do {
                let answer = try await terminal.ask("Paste a link, or press Enter when it is done")
                if !answer.isEmpty {
                    guard let back = try await open(answer, otherwise: place) else { continue }
                    guard back == place else { throw Leaving.elsewhere(back) }
                }
                if try await isDone() { return }
                terminal.say("It is not done yet. Open the link in the mail first.")
            } catch let error as HomingAuthError {
                terminal.complain(words(for: error))
                // Who was signed out by the server waits for nothing.
                if auth.sessionEndReason != nil { throw Leaving.back }
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import HomingMail
package import HomingServer
import HomingTexts
package import Hummingbird

/// Asks the DNS for the records of a sender domain, as `homing mail domain check` does.
package typealias SenderDomainLookUp = @Sendable (SenderDomainLook) async -> [SenderDomainRecord]

/// What operators see and change in a browser, as the admin listener mounts it.
package struct Console: AdminConsole {
    private let examination: ConsoleExamination?
    private let senderDomains: SenderDomainLookUp?
    private let patience: Duration

    /// - Parameters:
    ///   - examination: the checks of `homing doctor`; nil where nobody can run them.
    ///   - senderDomains: asks the DNS for the records of a sender domain; nil where nobody can.
    ///   - patience: how long the form for a test mail waits for what becomes of it.
    package init(
        examination: ConsoleExamination? = nil, senderDomains: SenderDomainLookUp? = nil,
        patience: Duration = .seconds(10)
    ) {
        self.examination = examination
        self.senderDomains = senderDomains
        self.patience = patience
    }

    package func pages(_ homing: Homing) -> Router<AdminCall<ConsolePerson>> {
        ConsoleRoutes(homing, examination: examination, senderDomains: senderDomains, patience: patience).router
    }

    package func signInPages(_ homing: Homing, _ signIn: AdminSignIn) -> any ConsoleSignInPages {
        ConsoleSignIn(homing: homing, signIn: signIn)
    }

    package func notFound(for person: Operator) -> Response {
        ConsolePage("Not found", "<p>There is no such page.</p>", status: .notFound).answer(to: person)
    }
}

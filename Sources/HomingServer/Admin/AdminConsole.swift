// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
package import Hummingbird

/// The console as the admin listener mounts it. A module above this one makes it.
package protocol AdminConsole: Sendable {
    /// Every page and form, for operators whom the gate has admitted.
    func pages(_ homing: Homing) -> Router<AdminCall<ConsolePerson>>

    /// The pages where somebody signs in, at the paths of ``ConsolePath``.
    func signInPages(_ homing: Homing, _ signIn: AdminSignIn) -> any ConsoleSignInPages

    /// The answer to an operator who asks for a page that is not there.
    func notFound(for person: Operator) -> Response
}

/// The pages where an operator signs in to the console. Each is shown, and takes its form.
package protocol ConsoleSignInPages: Sendable {
    func show(_ request: Request) async throws -> Response

    /// - Parameter caller: the caller in the form that limits in the database count.
    func act(_ request: Request, caller: String) async throws -> Response

    func askForCode(_ request: Request) async throws -> Response

    func takeCode(_ request: Request) async throws -> Response
}

/// The paths of the console to which the admin side leads.
package enum ConsolePath {
    package static let signIn = "/console/sign-in"
    /// Where the code behind a first factor is asked for.
    package static let code = "\(signIn)/code"
    /// The reader's own password, second factor and sessions.
    package static let myself = "/console/me"
}

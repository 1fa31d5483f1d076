// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCertificates
package import HomingCore
import HomingWire
package import Hummingbird

/// The admin listener: what ``Endpoint/forAdminListener`` declares, in one router for each kind of caller. A route can
/// be mounted only on its caller's router: no operation accepts a browser's cookie, and none is on the public listener.
package struct AdminRoutes {
    package let open = Router(context: AdminCall<Anybody>.self, options: .autoGenerateHeadEndpoints)
    package let operations = Router(context: AdminCall<BackEnd>.self, options: .autoGenerateHeadEndpoints)
    package let pages = Router(context: AdminCall<Person>.self, options: .autoGenerateHeadEndpoints)
    /// The routes of ``console``.
    package let consolePages: Router<AdminCall<ConsolePerson>>
    let console: any AdminConsole

    /// The paths that answer without a key.
    private static let openPaths = Endpoint.forAdminListener.flatMap { endpoint -> [String] in
        if case .stranger = endpoint.run { endpoint.allPaths } else { [] }
    }

    /// Whether a path answers without a key. Bytes are compared: it comes from whoever has shown nothing yet.
    static func isOpen(_ path: String) -> Bool { openPaths.contains { ASCII.areEqual($0, path) } }

    init(
        _ homing: Homing, console: any AdminConsole, signIn: AdminSignIn, metrics: Metrics,
        undeclared: UndeclaredMembers? = nil
    ) {
        self.console = console
        consolePages = console.pages(homing)
        let parts = AdminParts(
            homing, signIn: signIn, consoleSignIn: console.signInPages(homing, signIn), metrics: metrics,
            undeclared: undeclared)
        for endpoint in Endpoint.forAdminListener { endpoint.add(to: self, parts) }
    }

    /// All routes: those of a server with a mailbox, and without TLS.
    package init(_ homing: Homing, console: any AdminConsole) {
        let signIn = AdminSignIn(homing: homing, cookie: AdminCookie(isSecure: false), showsMailbox: true)
        self.init(homing, console: console, signIn: signIn, metrics: Metrics(certificates: Certificates(homing)))
    }

    /// The request as it is meant: some clients cannot say `PATCH`, and Google's Java library then posts. It holds
    /// where Google's API has that method, for settings and tenants.
    static func overridden(_ request: Request) -> Request {
        guard request.method == .post, request.headers[.methodOverride] == "PATCH",
            request.uri.path.contains("/v2/projects/")
        else { return request }
        var head = request.head
        head.method = .patch
        return Request(head: head, body: request.body)
    }
}

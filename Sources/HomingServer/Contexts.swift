// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
import HomingListener
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
package import Hummingbird
import NIOCore

/// One request as it arrives, before any credential is checked.
package struct CallContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    private let channel: any Channel
    /// Nil when the peer's address is of an unknown kind.
    let peer: IPAddress?
    /// The client's address, once the forwarding headers of trusted proxies were read.
    var client: IPAddress?
    /// Nil for what is not asked for on a link domain.
    var place: LinkPlace?

    package init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = channel.remoteAddress.flatMap { IPAddress($0) }
        client = peer
    }

    /// The server's address at which the request arrived.
    var local: IPAddress? { channel.localAddress.flatMap { IPAddress($0) } }

    /// The caller in the form that limits in memory count; all callers of an unknown kind count as one.
    var network: IPAddress? { client?.network }

    /// The caller in the form that limits in the database count.
    var caller: String { Self.caller(client) }

    static func caller(_ client: IPAddress?) -> String { client?.networkKey ?? "unknown" }
}

/// A caller that has shown a project's API key: the permission of a client app.
package struct ProjectContext: Sendable {
    let homing: Homing
    /// The project of the key, or the tenant of it that the request is about.
    let project: Project
    let fields: Fields
    /// The language tag that the request names; nil where it names none.
    let language: String?
    private let client: IPAddress?
    private let userAgent: String?

    /// The caller, in the form that the limits count.
    var caller: String { CallContext.caller(client) }

    /// The caller's device, where the User-Agent header tells.
    var device: Device? { Device(userAgent: userAgent) }

    /// Who asks, for whoever has to say later whether that was they.
    var asked: AskedFrom { AskedFrom(device: device, address: client) }

    /// - Parameter project: the project of the request's key (``project(of:_:)``).
    /// - Throws: ``Refusal/invalidTenantID``, ``Refusal/tenantIDMismatch`` or ``Refusal/projectDisabled``.
    init(
        _ request: Request, _ call: CallContext, of project: Project, fields: Fields, homing: Homing
    ) throws(Refusal) {
        self.homing = homing
        let project = try IdentityToolkit.scope(of: project, fields, homing)
        guard !project.isDisabled else { throw .projectDisabled }
        self.project = project
        self.fields = fields
        client = call.client
        userAgent = request.headers.first(.userAgent)
        language = Self.language(of: request)
    }

    /// The project of the request's key, checked before a body is read, so that a stranger's body costs nothing.
    ///
    /// - Throws: ``Refusal/apiKeyMissing`` or ``Refusal/apiKeyInvalid``.
    static func project(of request: Request, _ homing: Homing) throws(Refusal) -> Project {
        let key = request.uri.queryParameters.get("key") ?? request.headers.first(.googleAPIKey)
        guard let key, !key.isEmpty else { throw .apiKeyMissing }
        guard let project = homing.projects.project(apiKey: key) else { throw .apiKeyInvalid }
        return project
    }

    /// `X-Firebase-Locale`. What is no language tag names no language.
    static func language(of request: Request) -> String? {
        request.headers.first(.firebaseLocale).flatMap { LanguageTag(parsing: $0)?.text }
    }
}

/// A person who has shown an ID token of a living session.
struct SignedInContext: Sendable {
    let person: SignedIn

    /// - Throws: ``Refusal/missingIDToken``, or the refusal of the token.
    init(_ context: ProjectContext) async throws {
        guard let token = try context.fields.string("idToken") else { throw Refusal.missingIDToken }
        person = try await context.homing.sessions.signedIn(idToken: token, in: context.project)
    }
}

extension HTTPFields {
    /// Strict-Transport-Security (RFC 6797): a browser that has come by TLS comes by nothing else for a year.
    static let tlsOnly = "max-age=31536000"

    /// The value of the first field of a name. A subscript joins the values of all of them, even of one: four thousand
    /// instructions for each field that a request has.
    func first(_ name: HTTPField.Name) -> String? { first { $0.name == name }?.value }
}

extension HTTPField.Name {
    static let firebaseLocale = name("X-Firebase-Locale")
    static let googleAPIKey = name("X-Goog-Api-Key")
    static let forwarded = name("Forwarded")
    static let via = name("Via")
    static let purpose = name("Purpose")
    static let secPurpose = name("Sec-Purpose")
    static let xMoz = name("X-Moz")
    static let secFetchSite = name("Sec-Fetch-Site")
    package static let referrerPolicy = name("Referrer-Policy")
    package static let frameOptions = name("X-Frame-Options")
    static let robots = name("X-Robots-Tag")
    static let privateNetworkRequest = name("Access-Control-Request-Private-Network")
    static let privateNetwork = name("Access-Control-Allow-Private-Network")
    static let crossOriginOpener = name("Cross-Origin-Opener-Policy")
    static let methodOverride = name("X-HTTP-Method-Override")
}

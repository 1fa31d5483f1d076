// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
import HomingCore
import HomingStore
package import HomingWire
import Hummingbird

/// One operation of the server, declared once: where it is asked, who may call it, which limits it counts against, what
/// it reads and answers, its name in the metrics, and what runs. Routers, the gate of the admin listener, metrics and
/// the OpenAPI document are made of ``all``.
package struct Endpoint: Sendable {
    /// Who may call an operation, with what runs for that caller. A caller of another kind cannot be mixed up with this
    /// one: the permission is the type of the context (``ProjectContext`` and its like).
    enum Run: Sendable {
        /// Whoever shows a project's API key, on the public listener.
        case app(@Sendable (ProjectContext) async throws -> JSON)
        /// The same, where what runs looks at the key itself, because its refusals have a form of their own or nothing
        /// else is looked at.
        case appResponse(@Sendable (Request, CallContext, PublicParts) async throws -> Response)
        /// A person with the ID token of a living session, besides the key.
        case signedIn(@Sendable (ProjectContext, SignedIn) async throws -> JSON)
        /// Anybody on the public listener.
        case anybody(@Sendable (Request, CallContext, PublicParts) async throws -> Response)
        /// What the public listener answers where no route matches, on the hosts of link domains for example.
        case elsewhere
        /// The operator's own back end, about a project or a tenant.
        case project(@Sendable (AdminProjectContext, DeclaredQuery) async throws -> JSON)
        /// The operator's own back end, about the server or about what names its project itself.
        case backEnd(@Sendable (AdminContext, AdminCall<BackEnd>, DeclaredQuery) async throws -> JSON)
        /// The operator's own back end, where the answer is more than JSON.
        case response(@Sendable (Request, AdminCall<BackEnd>, AdminParts) async throws -> Response)
        /// Anybody on the admin listener.
        case stranger(@Sendable (Request, AdminCall<Anybody>, AdminParts) async throws -> Response)
        /// A person at a browser, on the admin listener.
        case person(@Sendable (Request, AdminCall<Person>, AdminParts) async throws -> Response)
        /// A person at a browser or a back end, of a server that keeps its mails.
        case mailbox(@Sendable (AdminPageContext, _ name: String?) async throws -> Response)
    }

    /// What is answered, where nothing is refused.
    enum Reply: Sendable {
        case json(Shape)
        /// A list of objects.
        case list
        case text
        case script
        /// Something for people, or for nobody: the OpenAPI document lacks it.
        case undescribed
    }

    typealias Limit = any KeyPath<Limits, Int> & Sendable

    /// The name in metrics and traces. Operations that do the same at different places share it.
    package let name: String
    /// A sentence for whoever writes a client.
    let meaning: String
    package let verb: HTTPRequest.Method
    /// All paths but that of version 3; ids stand in braces.
    package let paths: [String]
    /// The name in version 3.
    package let inVersion3: String?
    /// Google's methods that it answers, where it is one of theirs.
    package let methods: [GoogleMethod]
    /// What it counts against, besides the requests of a second.
    let limits: [Limit]
    /// The greatest number of bytes that a body may have.
    let bodyLimit: Int
    package let query: Shape
    /// The members of the body; nil where none is read.
    package let request: Shape?
    /// Whether the body is a form, or may be one besides JSON.
    let form: Form
    let reply: Reply
    let run: Run

    enum Form: Sendable {
        case no, too, only
    }

    init(
        _ name: String, _ verb: HTTPRequest.Method, _ paths: [String], inVersion3: String? = nil, _ meaning: String,
        methods: [GoogleMethod] = [], limits: [Limit] = [], bodyLimit: Int = Routes.bodyLimit, query: Shape = [],
        request: Shape? = nil, form: Form = .no, reply: Reply = .undescribed, _ run: Run
    ) {
        self.name = name
        self.meaning = meaning
        self.verb = verb
        self.paths = paths
        self.inVersion3 = inVersion3
        self.methods = methods
        self.limits = limits
        self.bodyLimit = bodyLimit
        self.query = query
        self.request = request
        self.form = form
        self.reply = reply
        self.run = run
    }

    /// One that the OpenAPI document lacks: a page for people, or what is left out.
    init(undescribed name: String, _ verb: HTTPRequest.Method, _ paths: [String], _ run: Run) {
        self.init(name, verb, paths, "", run)
    }

    /// One that answers a method of Google's behind each prefix.
    ///
    /// - Parameter forTenants: whether it answers the same of a tenant.
    init(
        _ name: String, _ method: GoogleMethod, behind prefixes: [String], forTenants: Bool = false, _ meaning: String,
        limits: [Limit] = [], bodyLimit: Int = Routes.bodyLimit, query: Shape = [], request: Shape? = nil,
        form: Form = .no, reply: Reply = .undescribed, _ run: Run
    ) {
        let methods = forTenants ? [method, method.ofTenant] : [method]
        self.init(
            name, HTTPRequest.Method(method.verb),
            prefixes.flatMap { prefix in methods.compactMap { $0.path }.map { "\(prefix)/\($0)" } },
            inVersion3: method.inVersion3, meaning, methods: methods, limits: limits, bodyLimit: bodyLimit,
            query: query,
            request: request, form: form, reply: reply, run)
    }

    /// Every path, that of version 3 included.
    package var allPaths: [String] { paths + (pathInVersion3.map { [$0] } ?? []) }

    var pathInVersion3: String? { inVersion3.map { "\(Routes.relyingParty)/\($0)" } }

    package var isOnPublicListener: Bool {
        switch run {
        case .app, .appResponse, .signedIn, .anybody, .elsewhere: true
        case .project, .backEnd, .response, .stranger, .person, .mailbox: false
        }
    }

    /// The watch over what it reads of a body; nil where nobody asks for one.
    func watch(_ reads: UndeclaredMembers?) -> UndeclaredMembers.Watch? {
        reads.map { UndeclaredMembers.Watch(described, request ?? query, $0) }
    }

    /// The response of an answer; tests look at its members.
    func response(_ answer: JSON, _ undeclared: UndeclaredMembers?) -> Response {
        if let undeclared, case .json(let shape) = reply { undeclared.check(answer, of: described, as: shape) }
        return Answer.json(answer)
    }

    /// As a sentence names it.
    var described: String { "\(verb.rawValue) \(allPaths.first ?? name)" }

    // MARK: All of them

    /// Of both listeners, pages included; but the pages of the console stand in `HomingConsole`.
    package static let all = forPublicListener + forAdminListener

    static let forPublicListener = forApps + TokenKeys.endpoints + ofLinks + notOffered + publicPages
    static let forAdminListener =
        forBackEnds + ofSettings + ofManagedLinks + ofLinkRecords + ofServer + notOfferedToBackEnds + adminPages
}

extension HTTPRequest.Method {
    init(_ verb: GoogleMethod.Verb) {
        switch verb {
        case .get: self = .get
        case .post: self = .post
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }
}

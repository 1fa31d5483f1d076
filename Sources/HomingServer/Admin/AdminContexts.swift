// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingProjects
import HomingStore
import HomingWire
package import Hummingbird

/// The operator's own back end, admitted by the gate of the admin listener.
package struct AdminContext: Sendable {
    let homing: Homing
    /// The credential of the back end.
    let backEnd: BackEnd
    let fields: Fields

    init(_ call: AdminCall<BackEnd>, fields: Fields = Fields(), homing: Homing) {
        self.homing = homing
        backEnd = call.caller
        self.fields = fields
    }

    /// Refuses what is about a project that the back end's key is not for.
    func check(_ project: Project) throws(Refusal) { try backEnd.key?.check(project.projectID) }
}

/// The operator's own back end with the one project that the path names, or a tenant of it.
package struct AdminProjectContext: Sendable {
    let homing: Homing
    let project: Project
    let backEnd: BackEnd
    let fields: Fields
    /// The language tag that the request names; nil where it names none.
    let language: String?
    private let parameters: Parameters

    /// - Throws: ``Refusal/projectNotFound``, or ``Refusal/outsideProjects(_:)`` where the key is not for the project.
    init(_ request: Request, _ call: AdminCall<BackEnd>, fields: Fields, homing: Homing) throws(Refusal) {
        guard let name = call.parameters.get("project"), let id = percentDecoded(name) else { throw .projectNotFound }
        var tenant: TenantID?
        if let name = call.parameters.get("tenant") {
            guard let id = percentDecoded(name) else { throw .tenantNotFound }
            tenant = TenantID(id)
        }
        try self.init(request, call, about: ProjectID(id), tenant: tenant, fields: fields, homing: homing)
    }

    /// A request of version 3, whose path names no project.
    ///
    /// - Throws: ``Refusal/insufficientPermission(_:)`` where its body does not either.
    init(inVersion3 request: Request, _ call: AdminCall<BackEnd>, fields: Fields, homing: Homing) throws(Refusal) {
        guard let id = try fields.text("targetProjectId") else {
            throw .insufficientPermission("targetProjectId names the project.")
        }
        try self.init(request, call, about: ProjectID(id), fields: fields, homing: homing)
    }

    private init(
        _ request: Request, _ call: AdminCall<BackEnd>, about id: ProjectID, tenant: TenantID? = nil, fields: Fields,
        homing: Homing
    ) throws(Refusal) {
        // First, because a key is not told which other projects there are.
        try call.caller.key?.check(id)
        guard let found = homing.projects.project(id) else { throw .projectNotFound }
        let project = try IdentityToolkit.scope(of: found, tenant: tenant, fields, homing)
        backEnd = call.caller
        self.homing = homing
        self.project = project
        self.fields = fields
        language = ProjectContext.language(of: request)
        parameters = call.parameters
    }

    /// What stands in the path in the place of a name in braces, decoded.
    func parameter(_ name: String) -> String? { parameters.get(name).flatMap { percentDecoded($0) } }

    /// For what is about the whole project. A tenant's scope is no project's id, and whoever looks it up refuses it.
    var wholeProject: ProjectID { ProjectID(project.scope.text) }

    /// Refuses what is about the people of a tenant that is switched off.
    func checkIsOpen() throws(Refusal) {
        guard !project.isDisabled else { throw .projectDisabled }
    }
}

/// The reader of a page of the admin listener: a person at a browser, or the operator's back end.
package struct AdminPageContext: Sendable {
    let homing: Homing
    /// Nil when a back end reads the page with its key.
    let person: Person?

    /// - Throws: ``Refusal/outsideProjects(_:)`` to a back end whose key is not for all projects, as the pages are.
    init(_ call: AdminCall<some PageReader>, homing: Homing) throws(Refusal) {
        try call.caller.key?.checkAllProjects()
        self.homing = homing
        person = call.caller.person
    }

    /// A form that only this page can send, in this person's session; nil where there is no session.
    func form(to path: String) -> PageForm? {
        person.map { person in
            let token = person.session.formToken(
                for: path, ring: homing.keys.ring, at: homing.system.now())
            return PageForm(action: path, fields: [.init("token", token)])
        }
    }
}

/// A form that a page of the admin listener has sent, in the session of the person who reads the page.
package struct AdminFormContext: Sendable {
    let homing: Homing
    let person: Person
    let form: QueryString

    /// Nil unless a page of ours made the form, for this session and for the path that it goes to.
    init?(_ request: Request, _ call: AdminCall<Person>, homing: Homing) async throws {
        guard Self.isFromOwnPage(request) else { return nil }
        let form = try await Routes.formFields(of: request)
        let isOurs = try call.caller.session.isToken(
            form["token"] ?? "", for: request.uri.path, ring: homing.keys.ring, at: homing.system.now())
        guard isOurs else { return nil }
        self.homing = homing
        person = call.caller
        self.form = form
    }

    /// Whether no header of a browser contradicts that the form comes from this very host and port. Another port is the
    /// same site, so that cookies go along from there, and `SameSite` does not help. Our own pages have no Referer and
    /// send `Origin: null`.
    package static func isFromOwnPage(_ request: Request) -> Bool {
        if let site = request.headers[.secFetchSite], site != "same-origin", site != "none" { return false }
        guard let origin = request.headers[.origin], origin != "null" else { return true }
        guard let host = request.head.authority else { return false }
        return ["http://", "https://"].contains { origin.utf8.elementsEqual("\($0)\(host)".utf8) }
    }
}

extension AdminFormContext {
    /// Whether a form that begins a session comes from this very host and port: nobody is to be signed in as somebody
    /// else.
    ///
    /// No session binds such a form, and a page of anybody can send `Origin: null`. The pages with these forms are read
    /// with a policy that has browsers name our own origin, also where they send no `Sec-Fetch-Site`, as over plain
    /// HTTP.
    package static func beginsOnOwnPage(_ request: Request) -> Bool {
        guard isFromOwnPage(request) else { return false }
        return request.headers[.origin] != "null" || request.headers[.secFetchSite] != nil
    }

    /// The policy of those pages, whose paths may be told to this server only.
    package static let signInReferrerPolicy = "same-origin"
}

/// The callers that may read the pages.
protocol PageReader: Sendable {
    var person: Person? { get }
    var key: AdminKey? { get }
}

extension Person: PageReader {
    var person: Person? { self }
    var key: AdminKey? { nil }
}

extension BackEnd: PageReader {
    var person: Person? { nil }
}

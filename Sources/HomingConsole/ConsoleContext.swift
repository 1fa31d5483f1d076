// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird
import Logging

/// A page of the console as somebody reads it: who that is, and the project that the path names.
struct ConsoleContext: Sendable {
    let homing: Homing
    let person: Operator
    let session: AdminSession
    /// The path of the request; a form of the page goes there unless it says otherwise.
    let path: String
    /// Nil where the query cannot be read.
    let query: QueryString?
    let parameters: Parameters
    /// Nil on pages that are about no project.
    private(set) var ofProject: Project?
    /// The project that this browser saw last; nil where it has seen none, or this person may not.
    let lastProject: Project?
    let reports: DoctorReports
    let logger: Logger

    /// - Parameter ofTenants: whether the path may name a tenant, as `PROJECT%2FTENANT`.
    /// - Throws: ``ConsoleRefusal`` where the path's project does not exist, or not for this person, and where the
    ///   person's role is not enough.
    init(
        _ request: Request, _ call: AdminCall<ConsolePerson>, homing: Homing, reports: DoctorReports,
        needs role: Operator.Role, ofTenants: Bool = false
    ) throws {
        self.homing = homing
        self.reports = reports
        logger = call.logger
        person = call.caller.person
        lastProject = RememberedProject(homing).project(of: request.headers, for: call.caller.person, in: homing)
        session = call.caller.session
        path = request.uri.path
        query = QueryString(parsingForm: request.uri.query ?? "")
        parameters = call.parameters
        if let name = call.parameters.get("project") {
            // What somebody may not see looks like what is not there.
            guard let id = percentDecoded(name), let project = homing.projects.projectOrTenant(Scope(id)),
                ofTenants || project.tenant == nil
            else { throw ConsoleRefusal.notFound }
            guard person.sees(project.projectID) else {
                homing.system.report(SecurityEvent(.operatorRefused, project: project.projectID.scope, subject: path))
                throw ConsoleRefusal.notFound
            }
            ofProject = project
        } else {
            ofProject = nil
        }
        guard person.role >= role else { throw ConsoleRefusal.needs(role) }
    }

    /// The same reader with the project as it is now, also where another node has changed it.
    func renewed() async throws -> ConsoleContext {
        try await homing.projects.reload()
        guard let project = homing.projects.projectOrTenant(try project.scope) else { throw ConsoleRefusal.notFound }
        var context = self
        context.ofProject = project
        return context
    }

    /// The project of a page below `/console/projects/{project}`.
    var project: Project {
        get throws {
            guard let ofProject else { throw ConsoleRefusal.notFound }
            return ofProject
        }
    }

    /// A part of the path, decoded.
    func parameter(_ name: String) throws -> String {
        guard let value = parameters.get(name).flatMap({ percentDecoded($0) }) else { throw ConsoleRefusal.notFound }
        return value
    }

    /// The path of a section of this page's project.
    func path(of section: ConsoleSection) -> String { section.path(in: ofProject) }

    /// What a form has done before this page; nil where none has.
    var done: ConsoleDone? { query?["saved"].flatMap(ConsoleDone.init) }

    /// What the form of one part of this page has done, for that part.
    func done(in part: String) -> HTML {
        guard let done, query?["part"]?.utf8.elementsEqual(part.utf8) == true else { return "" }
        return done.html
    }

    /// Whether this person may have the server ask other hosts: what they answer tells of the server's own network.
    var mayExamine: Bool { mayEdit && person.projects == nil }

    /// Whether this server keeps all emails in its mailbox, and this person may read them there.
    var opensMailbox: Bool {
        session.opens(.mailbox) && homing.serverMail.value.url.map { $0.utf8.elementsEqual("mailbox:".utf8) } ?? false
    }

    var mayEdit: Bool { person.role >= .editor }
    var isOwner: Bool { person.role >= .owner }

    /// An address as this person may read it: viewers see the first letter and the domain.
    func shown(_ address: String) -> String {
        guard person.role == .viewer, let at = address.utf8.firstIndex(of: UInt8(ascii: "@")) else { return address }
        return address.prefix(1) + "•••" + address[at...]
    }

    /// The token of a form that goes to a path, in this session.
    func token(for path: String) -> String {
        session.formToken(for: path, ring: homing.keys.ring, at: homing.system.now())
    }
}

extension Logger {
    /// The cause of a page that says only that something went wrong.
    func pageFailed(at path: String, _ error: any Error) {
        self.error("a page of the console failed", metadata: ["path": "\(path)", "error": "\(error)"])
    }
}

/// A form that a page of the console has sent, in the session of the person who reads the page. Nothing in the console
/// changes without one.
struct SentForm: Sendable {
    let context: ConsoleContext
    let fields: QueryString
    /// The files of a form that has some, by the names of its fields.
    let files: [String: [UInt8]]

    /// In bytes: a template and a logo fit.
    static let largest = 1 << 20

    var homing: Homing { context.homing }
    var author: Authority { context.person.author }

    /// - Parameter largest: the most bytes of its body.
    /// - Throws: ``ConsoleRefusal/foreignForm`` unless a page of ours made the form, for this session and this path.
    init(
        _ request: Request, _ call: AdminCall<ConsolePerson>, homing: Homing, reports: DoctorReports,
        needs role: Operator.Role, ofTenants: Bool = false, largest: Int = Self.largest
    ) async throws {
        guard AdminFormContext.isFromOwnPage(request) else { throw ConsoleRefusal.foreignForm }
        // First, so that nothing is read from whoever may not send it: some forms have a large file.
        context = try ConsoleContext(
            request, call, homing: homing, reports: reports, needs: role, ofTenants: ofTenants)
        let body = try await Routes.body(of: request, limit: largest)
        let (fields, files): (QueryString, [String: [UInt8]])
        // Only files are large: fields are read in ways that take more than their length.
        if let form = request.headers[.contentType].flatMap({ MultipartForm(body, contentType: $0) }) {
            try Self.checkSize(form.fields.reduce(0) { $0 + $1.value.utf8.count })
            (fields, files) = (QueryString(form.fields), form.files)
        } else {
            try Self.checkSize(body.count)
            (fields, files) = (try Routes.formFields(in: body), [:])
        }
        let isOurs = try call.caller.session.isToken(
            fields["token"] ?? "", for: request.uri.path, ring: homing.keys.ring, at: homing.system.now())
        guard isOurs else { throw ConsoleRefusal.foreignForm }
        self.fields = fields
        self.files = files
    }

    private static func checkSize(_ bytes: Int) throws(Refusal) {
        guard bytes <= largest else { throw .payloadTooLarge(most: largest) }
    }

    /// The address that a test mail is to go to; nil where it is none, or gets no mail now, which the form then says.
    func addressee(_ form: inout ConsoleForm<String>) async throws -> EmailAddress? {
        guard try form.take(self) else { return nil }
        do {
            let address = try EmailAddress(parsing: form.value)
            try await homing.actionCodes.allowMail(from: "console \(author.text)", in: context.project)
            return address
        } catch let refusal as Refusal {
            form.faults["address"] = refusal.consoleSentence
            return nil
        }
    }

    /// A hidden field's text, without spaces around it; empty when the form lacks it.
    func text(_ name: String) -> String { String(ASCII.trimmed(fields[name] ?? "")) }

    /// Answers a form that has changed something: the page is loaded again, and says what was done.
    ///
    /// - Parameter part: the id of the part of the page in which the form stands, and which then says so; nil for the
    ///   top of the page.
    func saved(_ path: String? = nil, _ done: ConsoleDone = .saved, in part: String? = nil) -> Response {
        let target = path ?? context.path
        return PageAnswer.redirect(
            to: target + (target.contains("?") ? "&" : "?") + "saved=\(done.rawValue)"
                + (part.map { "&part=\($0)#\($0)" } ?? ""),
            status: .seeOther)
    }
}

/// What a form has done, as the page after it says. A closed list, because it travels in the address.
enum ConsoleDone: String {
    case saved = "1"
    case added, removed, deleted, sent, ended, revoked, retried, lifted, restored, invited, created, erased
    case known
    case createdUnmailed = "created-unmailed"
    case invitationEnded = "invitation-ended"

    var html: HTML { "<p class=\"saved\" role=\"status\">\(ConsoleIcon.check.html)\(sentence)</p>" }

    var sentence: String {
        switch self {
        case .saved: "Saved."
        case .lifted: "Removed from the list."
        case .invited: "Invited: the email is on its way."
        case .invitationEnded: "Saved. The invitation or link that was still open has ended: send another one below."
        case .createdUnmailed: "Created. The email could not be sent now: send a password reset below."
        case .known:
            "This link was made before and is archived: it leads where it led, and you can put it back on the list."
        default: rawValue.prefix(1).uppercased() + rawValue.dropFirst() + "."
        }
    }
}

/// The reasons why the console shows no page.
enum ConsoleRefusal: Error {
    case notFound
    case needs(Operator.Role)
    case foreignForm
    /// How somebody signs in is changed soon after a sign-in only.
    case needsFreshSession
    /// What concerns other projects as well is not for operators of some; the sentence says why.
    case needsAllProjects(String)
    /// The server does as much as it can at once; the sentence says what, and when to try again.
    case busy(String)
}

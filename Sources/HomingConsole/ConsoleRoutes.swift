// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingDatabase
import HomingPasswords
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// The sections of the console, by the names that the navigation and the headings of their pages have. The last part of
/// the path is the same in lower case.
enum ConsoleSection: String, CaseIterable {
    case overview = "Overview"
    case accounts = "Accounts"
    case mail = "Mail"
    case links = "Links"
    case apps = "Apps"
    case domains = "Domains"
    case linkDomains = "Link domains"
    case signIn = "Sign-in"
    case templates = "Templates"
    case brand = "Brand"
    case keys = "Keys"
    case projects = "Projects"
    case operators = "Operators"
    case audit = "Audit"

    /// What stands together in the navigation.
    enum Group: String, CaseIterable {
        case daily = "Daily"
        case setUp = "Set-up"
        case server = "Server"
    }

    var group: Group {
        switch self {
        case .overview, .accounts, .mail, .links: .daily
        case .apps, .domains, .linkDomains, .signIn, .templates, .brand, .keys: .setUp
        case .projects, .operators, .audit: .server
        }
    }

    /// The others of a tenant are its project's.
    var isOfTenants: Bool { self == .mail || self == .accounts }

    func path(in project: Project?) -> String {
        let name = rawValue.lowercased().replacing(" ", with: "-")
        return switch self {
        case .projects: "/console/"
        case .operators, .audit: "/console/\(name)"
        case .overview: "/console/projects/\(percentEncoded(project?.scope.text ?? ""))/"
        default: "/console/projects/\(percentEncoded(project?.scope.text ?? ""))/\(name)"
        }
    }
}

/// Every page and form of the console in one list, with the role that each one needs.
struct ConsoleRoutes {
    let router = Router(context: AdminCall<ConsolePerson>.self, options: .autoGenerateHeadEndpoints)
    private let homing: Homing
    private let reports: DoctorReports
    private let uploads = UploadTurn()

    /// - Parameters:
    ///   - examination: the checks of `homing doctor`; nil where nobody can run them.
    ///   - senderDomains: asks the DNS for the records of a sender domain; nil where nobody can.
    ///   - patience: how long the form for a test mail waits for what becomes of it.
    init(
        _ homing: Homing, examination: ConsoleExamination?, senderDomains: SenderDomainLookUp?, patience: Duration
    ) {
        self.homing = homing
        reports = DoctorReports(examination)
        page("/console", changes: .owner, ProjectsPage.show, ProjectsPage.create)
        page("/console/operators", needs: .owner, changes: .owner, OperatorsPage.show, OperatorsPage.change)
        page("/console/audit", needs: .owner, AuditPage.show)
        page(SearchPage.path, SearchPage.show)
        page(ConsolePath.myself, changes: .viewer, MyselfPage.show, MyselfPage.change)

        let project = "/console/projects/{project}"
        page(project, OverviewPage.show)
        page("\(project)/settings", ProjectSettingsPage.show, ProjectSettingsPage.change)
        page(
            "\(project)/delete", needs: .owner, changes: .owner, ProjectDeletePage.show, ProjectDeletePage.delete)
        page("\(project)/domains", DomainsPage.show, DomainsPage.change)
        page("\(project)/apps", AppsPage.show, AppsPage.change)
        page("\(project)/link-domains", LinkDomainsPage.show, LinkDomainsPage.change)
        if let examination {
            let check = CheckPage(examination: examination)
            page("\(project)/link-domains/check", needs: .editor, check.show, check.run)
        }
        let settings = SignInSettingsPage(isAdvanced: false)
        page("\(project)/sign-in", settings.show, settings.change)
        let advanced = SignInSettingsPage(isAdvanced: true)
        page("\(project)/sign-in/advanced", advanced.show, advanced.change)
        page("\(project)/templates", TemplatesPage.show)
        page("\(project)/templates/{kind}/{language}", TemplatePage.show) { action, sent in
            try await TemplatePage.change(action, sent, patience: patience)
        }
        page("\(project)/templates/{kind}/{language}/preview", TemplatePreview.show)
        page("\(project)/templates/{kind}/{language}/versions/{version}", TemplateVersionPage.show)
        page("\(project)/brand", BrandPage.show, BrandPage.change)
        page("\(project)/brand/logo", BrandPage.logo)
        page("\(project)/brand/preview", BrandPreview.show)
        page("\(project)/accounts", ofTenants: true, AccountsPage.show)
        page(
            "\(project)/accounts/new", needs: .editor, ofTenants: true, AccountCreatePage.show,
            AccountCreatePage.create)
        let accountImport = AccountImportPage()
        page(
            "\(project)/accounts/import", needs: .editor, ofTenants: true, atMost: AccountImportPage.largestForm,
            accountImport.show, accountImport.change)
        page(
            "\(project)/accounts/export", needs: .owner, changes: .owner, ofTenants: true, AccountExportPage.show,
            AccountExportPage.download)
        page("\(project)/accounts/{account}", ofTenants: true, AccountPage.show, AccountPage.change)
        page("\(project)/tenants", TenantsPage.show, TenantsPage.create)
        page("\(project)/tenants/{tenant}", TenantPage.show, TenantPage.change)
        page("\(project)/keys", KeysPage.show, KeysPage.change)
        page("\(project)/links", LinksPage.show, LinksPage.change)
        page("\(project)/links/new", needs: .editor, LinkCreatePage.show, LinkCreatePage.change)
        page("\(project)/links/clicks", LinkClicksPage.show)
        page("\(project)/links/clicks.csv", LinkClicksPage.csv)
        page("\(project)/links/webhook", LinkWebhookPage.show, LinkWebhookPage.change)
        let link = "\(project)/links/{domain}/{ending}"
        page(link, LinkPage.show, LinkPage.change)
        page("\(link)/qr.svg", LinkPage.svg)
        page("\(link)/qr.png", LinkPage.png)
        page("\(link)/statistics.csv", LinkPage.csv)
        page("\(link)/edit", needs: .editor, LinkEditPage.show, LinkEditPage.change)
        page("\(link)/versions", LinkVersionsPage.show, LinkVersionsPage.change)
        page("\(link)/delete", needs: .editor, LinkDeletePage.show, LinkDeletePage.delete)
        page("\(project)/mail", ofTenants: true, MailPage.show) { action, sent in
            try await MailPage.change(action, sent, patience: patience)
        }
        if let examination {
            let arrived = ArrivedLetterPage(examination: examination)
            page(
                "\(project)/mail/letter", atMost: ArrivedLetterPage.largestForm, arrived.show, arrived.judge)
        }
        page("\(project)/mail/funnel", ofTenants: true, MailFunnelPage.show)
        page("\(project)/mail/funnel.csv", ofTenants: true, MailFunnelPage.download)
        let domains = SenderDomainsPage(lookUp: senderDomains)
        page("\(project)/mail/domains", domains.show, domains.change)
        let transport = MailTransportPage()
        page("\(project)/mail/transport", ofTenants: true, transport.show, transport.change)
        page("\(project)/mail/{mail}", ofTenants: true, MailLifePage.show, MailLifePage.retry)
    }

    /// - Parameters:
    ///   - role: who reads the page.
    ///   - ofTenants: whether the path may name a tenant.
    private func page(
        _ path: String, needs role: Operator.Role = .viewer, ofTenants: Bool = false,
        _ show: @escaping @Sendable (ConsoleContext) async throws -> Response
    ) {
        let (homing, reports) = (homing, reports)
        router.get("\(path)") { request, call in
            await Self.answer(request, call, homing, reports) {
                try await show(
                    ConsoleContext(
                        request, call, homing: homing, reports: reports, needs: role, ofTenants: ofTenants))
            }
        }
    }

    /// A page with one form.
    ///
    /// - Parameters:
    ///   - author: who may send it.
    ///   - largest: the most bytes of what is sent.
    private func page(
        _ path: String, needs role: Operator.Role = .viewer, changes author: Operator.Role = .editor,
        ofTenants: Bool = false, atMost largest: Int = SentForm.largest,
        _ show: @escaping @Sendable (ConsoleContext) async throws -> Response,
        _ change: @escaping @Sendable (SentForm) async throws -> Response
    ) {
        page(path, needs: role, ofTenants: ofTenants, show)
        let (homing, reports, uploads) = (homing, reports, uploads)
        router.post("\(path)") { request, call in
            await Self.answer(request, call, homing, reports) {
                try await uploads.run(request, atMost: largest) {
                    try await change(
                        SentForm(
                            request, call, homing: homing, reports: reports, needs: author, ofTenants: ofTenants,
                            largest: largest))
                }
            }
        }
    }

    /// A page with several forms, told apart by what they do.
    private func page<Action: ConsoleAction>(
        _ path: String, needs role: Operator.Role = .viewer, changes author: Operator.Role = .editor,
        ofTenants: Bool = false, atMost largest: Int = SentForm.largest,
        _ show: @escaping @Sendable (ConsoleContext) async throws -> Response,
        _ change: @escaping @Sendable (Action, SentForm) async throws -> Response
    ) {
        page(path, needs: role, changes: author, ofTenants: ofTenants, atMost: largest, show) { sent in
            guard let action = Action(in: sent.fields) else { throw ConsoleRefusal.notFound }
            return try await change(action, sent)
        }
    }

    /// Refusals that no page has put beside a field become pages of their own.
    private static func answer(
        _ request: Request, _ call: AdminCall<ConsolePerson>, _ homing: Homing, _ reports: DoctorReports,
        _ run: () async throws -> Response
    ) async -> Response {
        func problem(_ title: String, _ sentence: String, _ status: HTTPResponse.Status) -> Response {
            // A form's own page has the same path.
            let back: HTML =
                request.method == .post
                ? "<p><a class=\"button quiet\" href=\"\(request.uri.path)\">Back to the page</a></p>" : ""
            let page = ConsolePage(title, "<p>\(sentence)</p>\(back)", status: status)
            // Of what is not there, or not theirs, nothing is told a second time.
            guard status != .notFound else { return page.answer(to: call.caller.person) }
            let context = try? ConsoleContext(
                request, call, homing: homing, reports: reports, needs: .viewer, ofTenants: true)
            return context.map { page.answer(in: $0) } ?? page.answer(to: call.caller.person)
        }
        func report(_ kind: SecurityEvent.Kind) {
            homing.system.report(SecurityEvent(kind, subject: request.uri.path))
        }
        do {
            return try await run()
        } catch ConsoleRefusal.notFound {
            return problem("Not found", "This page does not exist, or you may not see it.", .notFound)
        } catch ConsoleRefusal.needs(let role) {
            report(.operatorRefused)
            return problem(
                "Not allowed",
                "This needs the role \(role.rawValue), and yours is \(call.caller.person.role.rawValue). An owner can "
                    + "change that under Operators.", .forbidden)
        } catch ConsoleRefusal.foreignForm {
            report(.formRefused)
            return problem(
                "Nothing has been changed",
                "This form comes from another site, or its page was open for too long. Go back, reload the page and try "
                    + "again.", .forbidden)
        } catch ConsoleRefusal.needsFreshSession {
            return problem(
                "Sign in again",
                "How you sign in can be changed within a quarter of an hour after a sign-in. Sign out under your address, "
                    + "sign in, and come back.", .forbidden)
        } catch ConsoleRefusal.needsAllProjects(let sentence) {
            report(.operatorRefused)
            return problem("Not allowed", "\(sentence): that is for operators of all projects.", .forbidden)
        } catch ConsoleRefusal.busy(let sentence) {
            return problem("Try again in a moment", sentence, .serviceUnavailable)
        } catch let refusal as Refusal where refusal.databaseReason != nil {
            return problem("Try again in a moment", "The database does not answer.", .serviceUnavailable)
        } catch let refusal as Refusal {
            return problem("That did not work", refusal.consoleSentence, WireError(refusal).status)
        } catch is DatabaseUnavailable {
            return problem("Try again in a moment", "The database does not answer.", .serviceUnavailable)
        } catch is CancellationError {
            return Answer.fault
        } catch {
            call.logger.pageFailed(at: request.uri.path, error)
            return problem("Something went wrong", "The server's log says what.", .internalServerError)
        }
    }
}

extension Refusal {
    /// The sentence beside a field: what is wrong, in words that say what to do.
    var consoleSentence: String {
        switch self {
        case .invalidEmail: "This is not an email address that Homing takes, such as ann@example.com."
        case .weakPassword(.empty): "Type a password."
        case .passwordRequirements:
            (cause as? [PasswordRule] ?? []).map { "\($0.sentence)." }.joined(separator: " ")
        // The text itself stands in the field.
        case .invalidAuthorizedDomain: (cause as? String ?? sentence).asSentence
        case .overloaded where cause is DatabaseUnavailable: "The database does not answer. Try again in a moment."
        default: (explanation + wayIn).asSentence
        }
    }

    /// How an operator comes in again who is kept out: that is done on the server alone.
    private var wayIn: String {
        switch remedy {
        case .linkOperator: ", or run homing operator link"
        case .forgetSecondFactor: ", or have the server's operator run homing operator link --forget"
        default: ""
        }
    }
}

extension StringProtocol {
    /// With a capital at its beginning and a full stop at its end, which a line of a terminal has not.
    var asSentence: String {
        let end = last.map { ".?!".contains($0) } == true ? "" : "."
        return "\(prefix(1).uppercased())\(dropFirst())\(end)"
    }
}

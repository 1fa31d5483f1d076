// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// `…/mail/domains`: the domains in whose name emails are signed, and the DNS records that receivers look for.
struct SenderDomainsPage: Sendable {
    /// Nil where nobody can ask the DNS.
    let lookUp: SenderDomainLookUp?
    private let running = RunningChecks()

    init(lookUp: SenderDomainLookUp?) { self.lookUp = lookUp }

    enum Action: String, ConsoleAction {
        case add, look, rotate, remove

        static let unnamed: Action? = .add
    }

    private static var addition: ConsoleForm<String> {
        ConsoleForm(
            "Domain", "add",
            hint: """
                What stands behind the @ of the sender, such as <code>shop.example</code>. Two keys are made for it; the \
                records to publish are shown next.
                """)
    }

    func show(_ context: ConsoleContext) async throws -> Response { try page(context) }

    // MARK: The page

    /// - Parameter looked: the records of a domain, as the DNS had them just now.
    private func page(
        _ context: ConsoleContext, _ form: ConsoleForm<String> = addition,
        looked: (domain: String, records: [SenderDomainRecord])? = nil
    ) throws -> Response {
        let project = try context.project
        let domains = project.senderDomains.map { domain -> HTML in
            let isLooked = looked.map { ASCII.areEqual($0.domain, domain) } ?? false
            let records = isLooked ? looked?.records : nil
            return section(domain, records ?? look(domain, context, project).records, isLooked: isLooked, context)
        }
        let addition: HTML =
            context.mayEdit
            ? "<section><h2>Add a sender domain</h2>\(context.form(form.html, button: "Add the domain"))</section>" : ""
        return ConsolePage(
            "Sender domains", in: .mail, back: ("All emails", context.path(of: .mail)),
            lead: """
                Receivers believe an email whose sender's domain says in the DNS who signs for it (DKIM), who hands it \
                over (SPF), and what to do with all others (DMARC). A relay that signs for the domain by itself needs no \
                keys here.
                """,
            """
            \(Self.rewriter(context).map(Self.unused) ?? "")\(HTML(joining: domains))\
            \(domains.isEmpty ? "<section>\(Self.nothing.html)</section>" as HTML : "")
            \(addition)
            """, of: form
        ).answer(in: context)
    }

    private static let nothing = EmptyState(
        .mail, "No sender domains yet", "Emails are signed by the relay or provider, or not at all.")

    private func look(_ domain: String, _ context: ConsoleContext, _ project: Project) -> SenderDomainLook {
        SenderDomainLook(domain, of: project, at: context.homing.system.now(), through: MailStateLines.state(context))
    }

    /// The provider that writes mails anew and signs them by itself, so that keys of ours sign nothing.
    private static func rewriter(_ context: ConsoleContext) -> String? {
        let name = MailStateLines.state(context)?.transport ?? ""
        return MailProvider.all.first { $0.name.utf8.elementsEqual(name.utf8) && !$0.keepsOurBytes }?.name
    }

    private static func unused(_ rewriter: String) -> HTML {
        """
        <p class="note">\(rewriter) writes emails anew and signs them itself: keys of this page are not used. Publish the \
        records that \(rewriter) shows for your domain.</p>
        """
    }

    private func section(
        _ domain: String, _ records: [SenderDomainRecord], isLooked: Bool, _ context: ConsoleContext
    ) -> HTML {
        let hasKeys = (try? context.project).map { !$0.signingKeys(for: domain).isEmpty } ?? false
        let isUnused = Self.rewriter(context) != nil
        let signs = hasKeys && !isUnused
        let sentence =
            signs
            ? "Emails from this domain are signed."
            : isUnused
                ? ""
                : "Emails are signed as soon as the server has seen the records of the keys; it looks every quarter of an hour."
        return """
            <section><h2><bdi>\(domain)</bdi> <span class="tag \(signs ? "good" : "warn")">\(signs ? "signed" : isUnused ? "not used" : "not signed yet")\
            </span></h2>
            \(isLooked ? "<p class=\"saved\" role=\"status\">As the DNS has it now.</p>" as HTML : "")\
            <p>\(sentence) \
            Name servers may take some hours to show what was published.</p>
            \(HTML(joining: records.map { Self.record($0, of: domain, isLooked: isLooked) }))\
            \(context.mayEdit ? actions(domain, context) : "")</section>
            """
    }

    private static func record(_ record: SenderDomainRecord, of domain: String, isLooked: Bool) -> HTML {
        let end = ".\(domain)"
        let relative =
            record.name.utf8.count == domain.utf8.count ? "@" : String(record.name.dropLast(end.utf8.count))
        let facts: [(String, HTML)] = [
            ("Type", "\(record.type)"), ("Name in the zone of \(domain)", "<code>\(relative)</code>"),
            ("Whole name", "<code>\(record.name)</code>"),
        ]
        return """
            <h3>\(record.title) \(record.tag(isLooked: isLooked))</h3>
            <dl>\(facts.map { "<dt>\($0.0)</dt><dd>\($0.1)</dd>" as HTML })</dl>
            \(ConsoleLines("the value of \(record.name)", record.value).html)\
            \(record.note.isEmpty ? "" : "<p class=\"hint\"><bdi>\(record.note.asSentence)</bdi></p>" as HTML)
            """
    }

    private func actions(_ domain: String, _ context: ConsoleContext) -> HTML {
        let keys = ((try? context.project)?.senderDomainKeys ?? []).filter { ASCII.areEqual($0.domain, domain) }
        let look: HTML =
            lookUp == nil
            ? "" : context.form(hidden: [Action.look.hidden(to: domain)], button: "Refresh", .quiet)
        let rotation: HTML =
            keys.contains { $0.signsSince == nil }
            ? ""
            : context.confirmation(
                "New keys",
                """
                Two more records are to be published then. The present keys sign until the new ones are seen, and their \
                records stay for a week.
                """, hidden: [Action.rotate.hidden(to: domain)], button: "Make new keys for \(domain)", .primary)
        let removal = context.confirmation(
            "Remove", "Emails from \(domain) are signed no more, and its keys are forgotten.",
            hidden: [Action.remove.hidden(to: domain)], button: "Remove \(domain)")
        return "\(look)\(rotation)\(removal)"
    }

    // MARK: Changing

    func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        let (homing, project) = (sent.homing, try sent.context.project)
        func domain() throws -> String {
            let name = sent.text(action.rawValue)
            guard let domain = project.senderDomains.first(where: { ASCII.areEqual($0, name) }) else {
                throw ConsoleRefusal.notFound
            }
            return domain
        }
        switch action {
        case .add: return try await add(sent)
        case .look: return try await look(at: domain(), sent)
        case .rotate:
            try await homing.makeSenderDomainKeys(
                for: domain(), of: project.projectID, isRotation: true, by: sent.author)
            return sent.saved(nil, .added)
        case .remove:
            try await homing.projects.removeSenderDomain(domain(), from: project.projectID, by: sent.author)
            return sent.saved(nil, .removed)
        }
    }

    private func add(_ sent: SentForm) async throws -> Response {
        var form = Self.addition
        _ = try form.take(sent)
        do {
            let domain = try Projects.senderDomain(form.value)
            try await sent.homing.makeSenderDomainKeys(
                for: domain, of: sent.context.project.projectID, isRotation: false, by: sent.author)
            return sent.saved(nil, .added)
        } catch let refusal as Refusal {
            form.faults["add"] = refusal.consoleSentence
            return try page(sent.context, form)
        }
    }

    private func look(at domain: String, _ sent: SentForm) async throws -> Response {
        let project = try sent.context.project
        guard let lookUp else { throw ConsoleRefusal.notFound }
        try running.begin(of: project.projectID)
        defer { running.end(of: project.projectID) }
        let records = await lookUp(look(domain, sent.context, project))
        try await sent.homing.useSenderDomainKeys(in: records, of: domain, in: project.projectID, by: sent.author)
        return try page(await sent.context.renewed(), looked: (domain, records))
    }
}

extension SenderDomainRecord {
    fileprivate var title: String {
        switch purpose {
        case "dkim": ASCII.contains(value, "k=ed25519") ? "DKIM, the key for Ed25519" : "DKIM, the key for RSA"
        case "spf": "SPF"
        case "dmarc": "DMARC"
        default: purpose.uppercased()
        }
    }

    /// - Parameter isLooked: whether the DNS was asked just now. Of a key the server knows more without.
    fileprivate func tag(isLooked: Bool) -> HTML {
        let (words, shade) =
            switch state {
            case .waiting: (selector == nil && !isLooked ? "not looked up" : "waiting", "warn")
            case .published: ("published", "good")
            case .missing: ("missing", "bad")
            case .different: ("another value", "bad")
            case .obsolete: ("may go", "")
            case .unknown: ("no answer", "warn")
            }
        return "<span class=\"tag \(shade)\">\(words)</span>"
    }
}

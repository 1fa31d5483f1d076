// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
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
            hint: "The part of the sender behind the @, such as <code>shop.example</code>. Its records come next.")
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
                DNS records with which receivers trust your emails: DKIM signs them, SPF names who sends them, DMARC judges \
                the rest.
                """,
            """
            \(Self.rewriter(context).map(Self.unused) ?? "")\(HTML(joining: domains))\
            \(domains.isEmpty ? "<section>\(Self.nothing.html)</section>" as HTML : "")
            \(addition)
            """, of: form
        ).answer(in: context)
    }

    private static let nothing = EmptyState(
        .mail, "No sender domains yet",
        "Add the domain of your sender to sign emails here. A relay that signs for it by itself needs none.")

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
        let (word, shade) =
            signs ? ("signed", "good") : isUnused ? ("not used", "warn") : ("not signed yet", "warn")
        let sentence: HTML =
            signs
            ? "<p>Emails from this domain are signed.</p>"
            : isUnused
                ? ""
                : """
                <p>Publish these records where \(domain) has its DNS. Emails are signed soon after the server has seen \
                them; it looks every quarter of an hour.</p>
                """
        let rows = records.map { Self.row($0, of: domain, isLooked: isLooked) }
        let mayLook = context.mayEdit && lookUp != nil
        return """
            <section class="dns"><div class="head"><h2><bdi>\(domain)</bdi> <span class="tag \(shade)">\(word)</span></h2>\
            \(mayLook ? context.form(hidden: [Action.look.hidden(to: domain)], button: "Refresh", .quiet) : "")</div>
            \(isLooked ? "<p class=\"saved\" role=\"status\">As the DNS has it now.</p>" as HTML : "")\(sentence)
            \(ConsoleTable("DNS records of \(domain)", ["Record", "Name", "Value", "Status"], rows).html)\
            \(context.mayEdit ? actions(domain, context) : "")</section>
            """
    }

    private static func row(_ record: SenderDomainRecord, of domain: String, isLooked: Bool) -> [HTML] {
        let end = ".\(domain)"
        let relative =
            record.name.utf8.count == domain.utf8.count ? "@" : String(record.name.dropLast(end.utf8.count))
        func copied(_ text: String, _ label: String, shown: HTML? = nil) -> HTML {
            let code: HTML = "<code>\(text)</code>"
            return "<div class=\"copied\"><div>\(shown ?? code)</div>\(CopyButton(text, label).html)</div>"
        }
        let isLong = record.value.utf8.count > longestLine
        let whole: HTML? =
            isLong
            ? """
            <details><summary><code>\(String(record.value.prefix(longestLine / 2)))…</code></summary>\
            <code>\(record.value)</code></details>
            """ : nil
        return [
            "\(record.title) <span class=\"soft\">\(record.type)</span>",
            """
            \(copied(relative, "the name of the \(record.title) record"))<p class="hint">in full:</p>\
            \(copied(record.name, "the full name of the \(record.title) record"))
            """,
            """
            \(copied(record.value, "the value of \(record.name)", shown: whole))\
            \(record.note.isEmpty ? "" : "<p class=\"hint\"><bdi>\(record.note.asSentence)</bdi></p>" as HTML)
            """,
            record.tag(isLooked: isLooked),
        ]
    }

    /// In bytes: a longer value is folded.
    private static let longestLine = 100

    private func actions(_ domain: String, _ context: ConsoleContext) -> HTML {
        let keys = ((try? context.project)?.senderDomainKeys ?? []).filter { ASCII.areEqual($0.domain, domain) }
        let rotation: HTML =
            keys.contains { $0.signsSince == nil }
            ? ""
            : context.confirmation(
                "New keys",
                """
                You publish two more records. The present keys sign until the new ones are seen, and their records stay \
                for a week.
                """, hidden: [Action.rotate.hidden(to: domain)], button: "Make new keys for \(domain)", .primary)
        let removal = context.confirmation(
            "Remove", "Emails from \(domain) are no longer signed, and its keys are deleted.",
            hidden: [Action.remove.hidden(to: domain)], button: "Remove \(domain)")
        return "<div class=\"actions\">\(rotation)\(removal)</div>"
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
        case "dkim": ASCII.contains(value, "k=ed25519") ? "DKIM, Ed25519" : "DKIM, RSA"
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
            case .different: ("different value", "bad")
            case .obsolete: ("no longer needed", "plain")
            case .unknown: ("no answer", "warn")
            }
        return "<span class=\"tag \(shade)\">\(words)</span>"
    }
}

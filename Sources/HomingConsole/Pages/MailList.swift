// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// The emails of a project, the newest first, and what somebody looks for among them.
struct MailList {
    struct Wanted {
        var text = ""
        var status = ""
        var kind = ""
    }

    private let form: ConsoleForm<Wanted>
    private let before: String?

    private static let pageLength = 50

    var wanted: Wanted { form.value }

    init(_ context: ConsoleContext) throws {
        let kinds = MailKind.allCases.filter { !$0.isForOperator }
        let states: [(Outbox.State, String)] = [
            (.queued, "queued"), (.sent, MailTimeline.Step.handedOver.words), (.failed, "failed or bounced"),
            (.expired, "expired"),
        ]
        var form = ConsoleForm(
            Wanted(), scope: "find-",
            ConsoleField(
                "Address or id of an email", "q", \.text, .line("search"), autocomplete: "off"),
            ConsoleField(
                "Status", "status", \.status,
                .choice([("", "All")] + states.map { ($0.0.name, $0.1) })),
            ConsoleField(
                "Kind", "kind", \.kind, .choice([("", "All kinds")] + kinds.map { ($0.rawValue, $0.title) })))
        try form.take(query: context.query)
        self.form = form
        before = context.query?["before"]
    }

    private var filter: MailFilter {
        let states: [Outbox.State] = [.queued, .sent, .failed, .expired]
        return MailFilter(
            state: states.first { $0.name.utf8.elementsEqual(wanted.status.utf8) },
            kind: MailKind(rawValue: wanted.kind))
    }

    /// The form, and what was found.
    func html(_ context: ConsoleContext) async throws -> HTML {
        var form = form
        let (mails, next, fault) = try await found(context)
        form.faults["q"] = fault
        let older: HTML =
            next.map { "<p><a class=\"button quiet\" href=\"\(address($0, context))\">Older emails</a></p>" } ?? ""
        return """
            \(form.search(at: context.path(of: .mail)))
            <section>\(mails.isEmpty ? nothing(isEnd: next == nil, context) : Self.table(mails, context))\(older)</section>
            """
    }

    private func found(
        _ context: ConsoleContext
    ) async throws -> (mails: [Outbox.Entry], next: String?, fault: String?) {
        let (outbox, project, filter) = (context.homing.outbox, try context.project, filter)
        guard !wanted.text.isEmpty else {
            guard !filter.isEmpty else {
                let mails = try await outbox.newest(in: project, before: before, limit: Self.pageLength)
                return (mails, mails.count == Self.pageLength ? mails.last?.id : nil, nil)
            }
            let page = try await outbox.newest(in: project, before: before, only: filter, limit: Self.pageLength)
            return (page.mails, page.next, nil)
        }
        guard let address = try? EmailAddress(parsing: wanted.text) else {
            return ([], nil, "This is neither a whole address nor the id of an email of this project.")
        }
        let mails = try await outbox.list(to: address, in: project, limit: Self.pageLength)
        return (mails.filter(filter.takes), nil, nil)
    }

    private func address(_ next: String, _ context: ConsoleContext) -> String {
        let parts = [("status", wanted.status), ("kind", wanted.kind), ("before", next)].filter { !$0.1.isEmpty }
        return "\(context.path(of: .mail))?" + parts.map { "\($0.0)=\(percentEncoded($0.1))" }.joined(separator: "&")
    }

    private static func table(_ mails: [Outbox.Entry], _ context: ConsoleContext) -> HTML {
        let rows = mails.map { mail -> [HTML] in
            let words = context.shown(mail.bounce ?? mail.lastReply ?? "", about: mail.recipient)
            return [
                "<a href=\"\(context.path(of: .mail))/\(mail.id)\">\(mail.kindTitle)</a>",
                "<bdi>\(context.shown(mail.recipient))</bdi>", mail.tag,
                words.isEmpty ? "" : "<bdi>\(words)</bdi>", ConsoleTime(mail.createdAt).html,
            ]
        }
        return ConsoleTable(
            "Emails, the newest first", ["Email", "To", "Status", "Last response", "Requested"], rows, areCards: true
        ).html
    }

    /// What stands in the place of an empty list.
    private func nothing(isEnd: Bool, _ context: ConsoleContext) -> HTML {
        if !isEnd { return "<p>None of the newest \(Outbox.mostLookedAt) emails is like that.</p>" }
        guard wanted.text.isEmpty, filter.isEmpty else {
            return EmptyState(.mail, "No such email", "No email of the last thirty days is like that.").html
        }
        return EmptyState(
            .mail, "No emails yet",
            """
            An app asks for the first one; its code stands under <a href="\(context.path(of: .overview))">Setup snippets</a>.
            """
        ).html
    }
}

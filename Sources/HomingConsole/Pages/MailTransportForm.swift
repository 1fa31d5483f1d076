// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingMail
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// What somebody types for a transport. Secrets are in no page.
struct MailTransportDraft {
    /// One of ``MailTransportForm/kinds``.
    var kind = MailTransportForm.relay
    var smtp = SMTPRelayParts()
    /// The parts of a provider's URL, by their names.
    var parts: [String: String] = [:]
    /// For whoever writes the URL themselves.
    var url = ""
    var secret = ""
    var sender = ""
    var fallsBack = false
    var eventsKey = ""
    var hasNoEventsKey = false
    var address = ""

    init(_ own: OwnMailTransport?) {
        guard let own else { return }
        (url, sender, fallsBack) = (own.url, own.sender ?? "", own.fallsBack)
        if let parts = SMTPRelayParts(of: url) {
            smtp = parts
        } else if let provider = MailProvider.of(url), let parts = provider.parts(of: url) {
            (kind, self.parts) = (provider.scheme, parts)
        } else {
            kind = MailTransportForm.byURL
        }
    }

    var provider: MailProvider? { MailProvider.all.first { $0.scheme.utf8.elementsEqual(kind.utf8) } }
}

/// The fields of a transport: a choice of provider, and those that the chosen one needs.
enum MailTransportForm {
    static let relay = "smtp"
    static let byURL = "url"
    /// All choices.
    static let kinds = [relay] + MailProvider.all.map(\.scheme) + [byURL]

    static func form(_ own: OwnMailTransport?) -> ConsoleForm<MailTransportDraft> {
        var fields: [ConsoleField<MailTransportDraft>] = [kind]
        fields += ofRelay
        fields += ofProviders
        fields += [wholeURL, secret(own)]
        fields += ofSender
        fields += ofEvents(own)
        fields.append(address)
        return ConsoleForm(MailTransportDraft(own), fields)
    }

    /// The fields in groups, for the page.
    static func html(_ form: ConsoleForm<MailTransportDraft>, own: OwnMailTransport?) -> HTML {
        """
        \(form.html(of: [kind.name]))
        <div class="pair">\(form.html(of: (ofRelay + ofProviders).map(\.name)))</div>
        \(form.html(of: [wholeURL.name]))<div data-for="\(byURL)">\(urls)</div>\(form.html(of: ["secret"]))
        <h3>Optional</h3>\(form.html(of: (ofSender + ofEvents(own)).map(\.name)))
        <h3>Test email</h3>\(form.html(of: [address.name]))
        """
    }

    // MARK: Where emails leave

    private static var kind: ConsoleField<MailTransportDraft> {
        var choices: [(value: String, label: String)] = [(relay, "SMTP relay")]
        choices += MailProvider.all.map { (value: $0.scheme, label: title(of: $0)) }
        choices.append((byURL, "Another URL"))
        return ConsoleField(
            label: "Provider", name: "kind", input: .choice(choices),
            text: { $0.kind },
            set: { draft, text in
                // A form without the choice has a URL.
                draft.kind = kinds.first { $0.utf8.elementsEqual(text.utf8) } ?? byURL
            })
    }

    /// `Webhook` of `the webhook`.
    private static func title(of provider: MailProvider) -> String {
        let article = "the "
        guard provider.name.utf8.starts(with: article.utf8) else { return provider.name }
        let name = provider.name.dropFirst(article.utf8.count)
        return name.prefix(1).uppercased() + name.dropFirst()
    }

    private static func field(
        _ label: String, _ name: String, _ part: WritableKeyPath<MailTransportDraft, String>, hint: HTML? = nil,
        _ input: ConsoleInput = .line("text"), for kinds: [String]
    ) -> ConsoleField<MailTransportDraft> {
        var field = ConsoleField<MailTransportDraft>(label, name, part, hint: hint, input)
        field.shownFor = kinds
        return field
    }

    private static var ofRelay: [ConsoleField<MailTransportDraft>] {
        let ways: [(SMTPRelayParts.Encryption, String)] = [
            (.startTLS, "STARTTLS"), (.tls, "TLS"), (.offered, "STARTTLS if offered"),
        ]
        var encryption = ConsoleField<MailTransportDraft>(
            label: "Encryption", name: "encryption", input: .choice(ways.map { ($0.0.rawValue, $0.1) }),
            text: { $0.smtp.encryption.rawValue },
            set: { draft, text in draft.smtp.encryption = SMTPRelayParts.Encryption(rawValue: text) ?? .startTLS })
        encryption.shownFor = [relay]
        return [
            field("Host", "host", \.smtp.host, hint: "Such as <code>smtp.example.net</code>.", for: [relay]),
            field(
                "Port", "port", \.smtp.port, hint: "Empty: 587 for STARTTLS, 465 for TLS, else 25.", .line("number"),
                for: [relay]),
            encryption,
            field("User", "user", \.smtp.user, hint: "Empty for a relay that asks for none.", for: [relay]),
        ]
    }

    /// A field for each part that the URL of some provider has.
    private static var ofProviders: [ConsoleField<MailTransportDraft>] {
        var names: [String] = []
        for part in MailProvider.all.flatMap(\.parts) where !names.contains(part.name) { names.append(part.name) }
        return names.map { name in
            let takers = MailProvider.all.compactMap { provider in
                provider.parts.first { $0.name.utf8.elementsEqual(name.utf8) }
                    .map { (provider, isRequired: $0.isRequired) }
            }
            let others = takers.filter { !$0.isRequired }.map { title(of: $0.0) }
            return ConsoleField(
                label: label(of: name), name: Self.name(of: name),
                hint: others.isEmpty ? nil : "Optional for \(others.joined(separator: ", ")), such as <code>eu</code>.",
                shownFor: takers.map(\.0.scheme), text: { $0.parts[name] ?? "" },
                set: { draft, text in draft.parts[name] = text })
        }
    }

    /// The name of the field of a provider's part.
    private static func name(of part: String) -> String { "part:\(part)" }

    private static func label(of part: String) -> String {
        switch part {
        case "sender": "Mailbox that sends"
        case "host": "Host and path behind https://"
        case "project", "tenant", "client": "\(part.prefix(1).uppercased())\(part.dropFirst()) id"
        default: "\(part.prefix(1).uppercased())\(part.dropFirst())"
        }
    }

    private static var wholeURL: ConsoleField<MailTransportDraft> {
        field("URL", "url", \.url, hint: "As <code>homing mail transport set</code> takes it.", for: [byURL])
    }

    /// The forms of the URL, as each provider has them.
    private static var urls: HTML {
        let smtp: [HTML] = [
            "SMTP relay", "<code>smtps://USER@HOST</code>, <code>smtp://USER@HOST:587</code>", "password",
        ]
        let rows =
            [smtp]
            + MailProvider.all.map { ["\(title(of: $0))", "<code>\($0.form)</code>", "\($0.secretName)"] }
        return """
            <details><summary>The URL of each provider</summary>\
            \(ConsoleTable("Providers", ["Provider", "URL", "Secret"], rows).html)</details>
            """
    }

    private static func secret(_ own: OwnMailTransport?) -> ConsoleField<MailTransportDraft> {
        var takers: [(name: String, kinds: [String])] = [("password", [relay])]
        for provider in MailProvider.all {
            if let index = takers.firstIndex(where: { $0.name.utf8.elementsEqual(provider.secretName.utf8) }) {
                takers[index].kinds.append(provider.scheme)
            } else {
                takers.append((provider.secretName, [provider.scheme]))
            }
        }
        let names = takers.map { taker -> HTML in
            let name = taker.name.prefix(1).uppercased() + taker.name.dropFirst()
            return "<span data-for=\"\(taker.kinds.joined(separator: " "))\">\(name). </span>"
        }
        let kept: HTML =
            own?.sealedSecret == nil ? "" : " Empty keeps the present one, as long as emails go to the same place."
        return ConsoleField(
            "Secret", "secret", \.secret,
            hint: "\(names)It is encrypted, shown to nobody, and sent to this provider alone.\(kept)",
            .line("password"), autocomplete: "new-password")
    }

    // MARK: The rest

    private static var ofSender: [ConsoleField<MailTransportDraft>] {
        [
            ConsoleField(
                "Sender", "sender", \.sender,
                hint: "Such as <code>Shop &lt;noreply@shop.example&gt;</code>. Empty for the server's.",
                check: { text in
                    guard text.isEmpty || SenderAddress(parsing: text) != nil else {
                        throw ConsoleFault("A sender is an address, or a name and an address in angle brackets.")
                    }
                }),
            ConsoleField(
                "Fall back to the server's transport", "fallsBack", \.fallsBack,
                hint: "While the provider is away, emails leave through it with the server's sender."),
        ]
    }

    private static func ofEvents(_ own: OwnMailTransport?) -> [ConsoleField<MailTransportDraft>] {
        let key = ConsoleField<MailTransportDraft>(
            "Events key", "eventsKey", \.eventsKey,
            hint: "The key with which the provider signs its events. Empty changes nothing.",
            .line("password"), autocomplete: "new-password")
        guard own?.sealedEventsKey != nil else { return [key] }
        return [
            key,
            ConsoleField(
                "Forget the events key", "noEventsKey", \.hasNoEventsKey, hint: "Events are not taken then."),
        ]
    }

    private static var address: ConsoleField<MailTransportDraft> {
        ConsoleField(
            "Send the test email to", "address", \.address, .line("email"), isRequired: true,
            check: { _ = try EmailAddress(parsing: $0) })
    }

    // MARK: What was typed

    /// The URL that a form describes; nil where something stands against it, which the form says then. No secret that
    /// was typed into another field than its own is shown again.
    static func url(of form: inout ConsoleForm<MailTransportDraft>, isPublicOnly: Bool) -> String? {
        let (draft, before) = (form.value, form.faults.count)
        let isWhole = draft.kind.utf8.elementsEqual(byURL.utf8)
        form.shows(draft.kind, in: kind.name)
        // Who forgets the @ has the key where a host is.
        if !isWhole || !MailURL.masked(draft.url).utf8.elementsEqual(draft.url.utf8) {
            form.shows("", in: wholeURL.name)
        }
        let (text, place) = isWhole ? (draft.url, wholeURL.name) : url(of: draft, &form)
        guard form.faults.count == before else { return nil }
        do throws(MailURLFault) {
            let read = try OwnMailURL(parsing: text, isPublicOnly: isPublicOnly)
            if isWhole { form.shows(read.text, in: place) }
            return text
        } catch {
            form.faults[place] = error.sentence.asSentence
            return nil
        }
    }

    /// The URL that has the parts of a form, and the name of the field that is to blame where it cannot be.
    private static func url(
        of draft: MailTransportDraft, _ form: inout ConsoleForm<MailTransportDraft>
    ) -> (text: String, place: String) {
        guard let provider = draft.provider else {
            check(draft.smtp, secret: draft.secret, &form)
            return (draft.smtp.url, "host")
        }
        for part in provider.parts where part.isRequired && draft.parts[part.name, default: ""].isEmpty {
            form.faults[name(of: part.name)] = "\(title(of: provider)) needs this."
        }
        return (provider.url(of: draft.parts), provider.parts.last.map { name(of: $0.name) } ?? kind.name)
    }

    private static func check(
        _ relay: SMTPRelayParts, secret: String, _ form: inout ConsoleForm<MailTransportDraft>
    ) {
        if !relay.port.isEmpty, !(1...65_535).contains(Int(relay.port) ?? 0) {
            form.faults["port"] = "A port is a number from 1 to 65535."
        }
        var alone = SMTPRelayParts()
        alone.host = relay.host
        // A user, a password or a port may stand in it.
        if SMTPRelayParts(of: alone.url)?.host.utf8.elementsEqual(relay.host.utf8) != true {
            form.faults["host"] = "Type the relay's name alone, such as smtp.example.net."
            if relay.host.utf8.contains(UInt8(ascii: "@")) { form.shows("", in: "host") }
        }
        if relay.user.isEmpty, !secret.isEmpty { form.faults["user"] = "Type the user whose password this is." }
    }
}

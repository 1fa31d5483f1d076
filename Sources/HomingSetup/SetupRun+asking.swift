// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDoctor
import HomingMail
import HomingOperations
import HomingServer
import HomingStore

/// The questions, and what an answer sets.
extension SetupRun {
    mutating func ask(_ step: SetupStep) throws {
        guard let dialogue else { return }
        switch step {
        case .data: break
        case .address:
            try answer("publicURL") { _ in
                SetupReading.publicURL(try dialogue.ask("Public URL, such as https://auth.example.com"))
            }
        case .encryption: try askForEncryption(dialogue)
        case .relay: try askForRelay(dialogue)
        case .sender:
            let standard = try load(isComplete: false).mailSender?.description
            dialogue.say("An address of your own domain, such as The Shop <noreply@shop.example>.", indent: 2)
            try answer("mail.from") { _ in
                try dialogue.ask("Sender", proposal: standard)
            }
        case .project: try askForProject(dialogue)
        case .person:
            while let typed = try dialogue.askOptional("Mail address of the operator, empty for none") {
                guard (try? EmailAddress(parsing: typed)) == nil else {
                    wishes.person = typed
                    break
                }
                dialogue.say(RefusalLine.text(.invalidEmail), indent: 4)
            }
        }
        try readGiven()
    }

    /// Asks until the setting takes the answer.
    private mutating func answer(_ key: String, _ ask: (Setting) throws -> String) throws {
        guard let setting = Setting.all.first(where: { $0.key == key }) else { return }
        while true {
            let value = try ask(setting)
            var settings = Settings()
            do throws(Rejection) {
                try setting.take(value, &settings)
                places.flags[setting.flag] = value
                return
            } catch {
                let accepted =
                    switch error {
                    case .notAccepted: "Accepted is \(setting.accepted)."
                    case .because(let sentence): sentence
                    }
                dialogue?.show([.problem("REFUSED", key, "That is refused.", accepted)])
            }
        }
    }

    private mutating func askForEncryption(_ dialogue: SetupDialogue) throws {
        let choice = try dialogue.choose([
            "Homing gets certificates by itself (ports 443 and 80 lead here)", "a proxy before Homing speaks TLS",
            "there are files with a certificate and its key",
        ])
        switch choice {
        case 0:
            let directory = try load(isComplete: false).acmeDirectory
            dialogue.say(
                "The authority is \(directory). Its terms are yours to read: Let's Encrypt's are at https://letsencrypt.org/repository/.",
                indent: 2)
            guard try dialogue.agrees("Do you agree to them?", proposal: true) else {
                return try askForEncryption(dialogue)
            }
            places.flags["tls-acme-agree"] = "yes"
            if let address = try dialogue.askOptional("Where the authority may write to you, empty for nowhere") {
                try answer("tls.acme.email") { [dialogue] _ in
                    (try? EmailAddress(parsing: address)) == nil
                        ? try dialogue.ask("A mail address, such as ops@example.com") : address
                }
            }
        case 1:
            places.flags["tls-acme-agree"] = "no"
            try answer("trustedProxies") { _ in
                try dialogue.ask("The proxy's address, as this machine sees it", proposal: "127.0.0.1/32")
            }
        default:
            try answer("tls.certificate") { _ in try dialogue.ask("The certificate with its chain, a PEM file") }
            try answer("tls.key") { _ in try dialogue.ask("Its key, a PEM file") }
            try answer("listen") { _ in
                try dialogue.ask("The public listener", proposal: "0.0.0.0:443")
            }
        }
    }

    mutating func askForListener(_ problem: Finding, _ dialogue: SetupDialogue) throws {
        let name = ListenerName.allCases.first { problem.subject.hasPrefix($0.rawValue) } ?? .open
        try answer(Setting.all.first { $0.flag == name.flag }?.key ?? "listen") { _ in
            try dialogue.ask("Another address for the \(name.rawValue) listener, host:port")
        }
        try readGiven()
    }

    private mutating func askForRelay(_ dialogue: SetupDialogue) throws {
        var proposal = relayProposal
        relayProposal = nil
        var secret: String?
        // A value under the older name, which was not good, is replaced under it.
        try answer(isRelayOlder ? "smtp.url" : "mail.url") { _ in
            var url =
                try proposal
                ?? SetupReading.relay(
                    dialogue.ask("Relay, host:port or smtp://…, a provider's URL, mailbox: to try things, or none"))
            proposal = nil
            if let provider = MailProvider.of(url) {
                let name = provider.secretName.prefix(1).uppercased() + provider.secretName.dropFirst()
                secret = SetupReading.wantsSecret(relay: url) ? try dialogue.askSecretly("\(name) (not shown)") : nil
                return url
            }
            if url != "none", url != "mailbox:", SetupReading.credentials(inRelay: url) == nil,
                let user = try dialogue.askOptional("User name there, empty for none")
            {
                url = SetupReading.relay(url, user: user)
            }
            guard let credentials = SetupReading.credentials(inRelay: url), !credentials.hasPassword else { return url }
            return SetupReading.relay(url, password: try dialogue.askSecretly("Password (not shown)"))
        }
        if let secret { places.flags["mail-secret"] = secret }
    }

    private mutating func askForProject(_ dialogue: SetupDialogue) throws {
        let host = try load(isComplete: false).publicURL?.host ?? ""
        while true {
            do throws(Refusal) {
                let id = ProjectID(
                    try dialogue.ask("Id, of a-z, 0-9 and -", proposal: SetupReading.projectID(forHost: host).text))
                try Projects.check(id: id)
                let name = try dialogue.ask("Name, as people read it", proposal: id.text)
                _ = try Projects.checkedName(name)
                var domains: [String] = []
                dialogue.say(
                    "Its page is where people come back to from a mail, such as https://www.shop.example.", indent: 2)
                if let page = try dialogue.askOptional("The app's page, empty for none") {
                    domains = [SetupReading.authorizedDomain(page)]
                    _ = try AuthorizedDomain(parsing: domains[0])
                }
                (wishes.project, wishes.projectName, wishes.authorizedDomains) = (id, name, domains)
                return
            } catch {
                guard !SetupDialogue.isOver(error) else { throw error }
                dialogue.show([.problem("REFUSED", "project", "That is refused.", RefusalLine.text(error))])
            }
        }
    }
}

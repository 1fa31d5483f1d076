// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingDoctor
import HomingMail
import HomingOperations
import HomingProjects
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
        case .relay: try askForDoor(dialogue)
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
                dialogue?.refuse(key, accepted)
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
                        ? try dialogue.ask("An email address, such as ops@example.com") : address
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

    /// Asks where mails leave. A relay's URL that was given without its password is not asked for again.
    private mutating func askForDoor(_ dialogue: SetupDialogue) throws {
        if let url = relayProposal {
            relayProposal = nil
            if let sentence = SetupReading.fault(inDoor: url) {
                dialogue.refuse("mail.url", sentence)
            } else if try takeDoor(url, dialogue) {
                return
            }
        }
        let choice = try dialogue.choose([
            "a relay, over SMTP", "a provider, over HTTPS (where SMTP's ports are blocked, too)",
            "Microsoft 365 or Google Workspace, over SMTP with an access token",
            "nowhere yet: emails are kept here, to try things",
            "nowhere: a server for links only, which mails nothing",
        ])
        switch choice {
        case 0: try askForDoor(dialogue) { try Self.relay(dialogue) }
        case 1:
            let provider = MailProvider.all[
                try dialogue.choose(MailProvider.all.map { "\($0.name): \($0.form)" })]
            try askForDoor(dialogue) { try Self.url(of: provider, dialogue) }
        case 2: try askForDoor(dialogue) { try Self.tokenRelay(dialogue) }
        case 3: _ = try takeDoor("mailbox:", dialogue)
        default: _ = try takeDoor("none", dialogue)
        }
    }

    private mutating func askForDoor(_ dialogue: SetupDialogue, _ ask: () throws -> String) throws {
        while true {
            let url = try ask()
            if let sentence = SetupReading.fault(inDoor: url) {
                dialogue.refuse("mail.url", sentence)
            } else if try takeDoor(url, dialogue) {
                return
            }
        }
    }

    /// Asks for the secret, apart, and takes both.
    ///
    /// - Returns: whether mails could leave so.
    private mutating func takeDoor(_ url: String, _ dialogue: SetupDialogue) throws -> Bool {
        var (url, secret) = (url, places.environment["HOMING_MAIL_SECRET"])
        if secret == nil, SetupReading.wantsSecret(relay: url) {
            let typed = try dialogue.askSecretly("\(SetupReading.secretName(ofDoor: url)) (not shown)")
            if SetupReading.keepsSecretApart(url) || hasSecretApart {
                secret = typed
            } else {
                url = SetupReading.relay(url, password: typed)
            }
        }
        if let sentence = SetupReading.fault(inDoor: url, secret: secret, isWhole: true) {
            dialogue.refuse("mail.url", sentence)
            return false
        }
        // A value under the older name, which was not good, is replaced under it.
        places.flags[isRelayOlder ? "smtp-url" : "mail-url"] = url
        places.flags["mail-secret"] = secret
        return true
    }

    private static func relay(_ dialogue: SetupDialogue) throws -> String {
        let url = SetupReading.relay(try dialogue.ask("Relay, host:port or smtp://…"))
        guard SetupReading.fault(inDoor: url) == nil, MailProvider.of(url) == nil, url != "mailbox:", url != "none",
            SetupReading.credentials(inRelay: url) == nil,
            let user = try dialogue.askOptional("User name there, empty for none")
        else { return url }
        return SetupReading.relay(url, user: user)
    }

    private static func url(of provider: MailProvider, _ dialogue: SetupDialogue) throws -> String {
        let bare = "\(provider.scheme):"
        let typed =
            SetupReading.fault(inDoor: bare) == nil
            ? try dialogue.ask("Its form is \(provider.form)", proposal: bare)
            : try dialogue.ask("Its form is \(provider.form)")
        let url = SetupReading.url(typed, ofScheme: provider.scheme)
        guard provider.isSecretFile, SetupReading.wantsSecret(relay: url) else { return url }
        return SetupReading.url(url, secretFile: try keyFile(dialogue))
    }

    private static func tokenRelay(_ dialogue: SetupDialogue) throws -> String {
        let choice = try dialogue.choose(["Microsoft 365", "Google Workspace"])
        dialogue.say(
            choice == 0
                ? "The app, and the mailbox that it may send from, are made as docs/mail-oauth.md says under \"Microsoft 365, as an app\"."
                : "The service account is made as docs/mail-oauth.md says under \"Google Workspace, with a service account\".",
            indent: 2)
        let mailbox = try dialogue.ask("The mailbox that sends, such as noreply@shop.example")
        guard choice == 0 else {
            return SetupReading.googleRelay(mailbox, keyFile: try keyFile(dialogue))
        }
        let tenant = try dialogue.ask("Directory (tenant) ID")
        return SetupReading.microsoftRelay(
            mailbox, tenant: tenant, client: try dialogue.ask("Application (client) ID"))
    }

    /// A file of several lines, which the server reads where it is.
    private static func keyFile(_ dialogue: SetupDialogue) throws -> String {
        FilePath.absolute(try dialogue.ask("The service account's key file, a JSON file that the server can read"))
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
                    "Its page is where people come back to from an email, such as https://www.shop.example.", indent: 2)
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

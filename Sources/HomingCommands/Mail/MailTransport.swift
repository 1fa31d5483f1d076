// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingMail
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire
import Logging

/// `homing mail transport …`: through whom a project's or tenant's mails leave, where that is not the server's.
struct MailTransportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transport", abstract: "A project's or tenant's own provider and sender.",
        discussion: """
            Emails of a project leave through the server's own transport (mail.url) until it has another one; those of a \
            tenant through its project's. The secret is encrypted, shown nowhere, and sent to no other place than the \
            one that it was given for.

            EXAMPLE
              homing mail transport set shop --url resend: <<< "re_the_key"
              homing mail transport show shop
            """,
        subcommands: [
            MailTransportSet.self, MailTransportShow.self, MailTransportTest.self, MailTransportRemove.self,
        ])

    static let logger = Logger(label: "homing.command")

    static func isPublicOnly(_ homing: Homing) -> Bool { !homing.serverMail.value.reachesPrivateAddresses }

    /// Refuses with what the other side said, if it did not take the mail.
    static func taken(_ result: MailTrial.Result, otherwise consequence: String = "") throws -> String {
        guard result.isTaken else {
            throw Refusal.mailNotTaken(
                "\(consequence)the test email was not taken, \(result.transport) said: \(result.reply)"
                    + (result.advice.map { "; \($0)" } ?? ""))
        }
        return "the test email was taken, \(result.transport) said: \(result.reply)"
    }
}

/// A project, or a tenant of it.
struct TransportOwner: ParsableArguments, Encodable {
    @Argument(help: "The project, or PROJECT/TENANT.") var project: Scope
    @Option(help: "Its tenant.") var tenant: TenantID?

    var scope: Scope { tenant.map { Scope($0, of: project.project) } ?? project }
}

struct MailTransportSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Mail through a provider or relay of the project's own from now on.",
        discussion: """
            The URL has a form of mail.url, without files of the server. Its secret is read from standard input unless it \
            stands in the URL or in --secret-file; where the URL leads to the same place as before, the one that is kept \
            may stay. What is not named stays as it is.

            With --test an email goes through the new transport before it is kept, and nothing changes unless it is taken.

            EXAMPLE
              homing mail transport set shop --url resend: <<< "re_the_key"
              homing mail transport set shop --from hello@shop.example --fallback
            """)

    @OptionGroup var owner: TransportOwner
    @Option(help: "Where emails leave; needed the first time.") var url: String?
    @Option(help: "The sender, an address or Name <address>; empty for the server's.") var from: String?
    @Flag(inversion: .prefixedNo, help: "Whether the server's own transport takes over while this one is away.")
    var fallback: Bool?
    @Option(help: "The file with the secret; - for standard input.") var secretFile: String?
    @Option(help: "The file with what the provider's events are signed with, or user:password; empty for none.")
    var eventsKeyFile: String?
    @Option(help: "Send a test email to this address first.") var test: String?
    @OptionGroup var format: OutputOptions

    private static let secretName = "secret"
    private static let eventsKeyName = "eventsKey"

    var inputSource: InputSource {
        var files: [(name: String, path: String)] = []
        if let secretFile {
            files.append((Self.secretName, secretFile))
        } else if readsSecret, isatty(STDIN_FILENO) == 0 {
            files.append((Self.secretName, "-"))
        }
        if let eventsKeyFile, !eventsKeyFile.isEmpty { files.append((Self.eventsKeyName, eventsKeyFile)) }
        return files.isEmpty ? .nothing : .files(files)
    }

    /// Whether the URL is one that lacks a secret. Whether it is allowed is asked where the command runs.
    private var readsSecret: Bool {
        let parsed = url.flatMap { try? OwnMailURL(parsing: $0, isPublicOnly: false) }
        return parsed.map { $0.needsSecret && $0.secret == nil } ?? false
    }

    func validate() throws {
        if secretFile == "-", eventsKeyFile == "-" {
            throw ValidationError("--secret-file and --events-key-file cannot both be standard input")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(owner.scope)
        let old = project.ownTransport.flatMap { $0.owner == project.scope ? $0 : nil }
        guard let url = url ?? old?.url else {
            throw ValidationError("--url is missing: \(project.scope) has none yet")
        }
        let given = try await output.input?.files() ?? [:]
        let isPublicOnly = MailTransportCommand.isPublicOnly(homing)
        let draft = try OwnMailTransport.Draft(
            url: url, secret: Self.text(given[Self.secretName]), sender: from, fallsBack: fallback,
            eventsKey: eventsKeyFile == nil ? nil : Self.text(given[Self.eventsKeyName]) ?? "",
            isPublicOnly: isPublicOnly)
        let relay = try draft.relay(replacing: old, ring: homing.keys.ring, isPublicOnly: isPublicOnly)
        let sender = from.map { $0.isEmpty ? nil : $0 } ?? old?.sender
        var lines: [String] = []
        if let test {
            let trial = MailTrial(
                homing: homing, project: project, relay: relay, sender: sender, logger: MailTransportCommand.logger)
            let result = try await trial.send(to: try EmailAddress(parsing: test), by: .command)
            lines.append(try MailTransportCommand.taken(result, otherwise: "nothing is changed: "))
        } else {
            lines.append("try it: homing mail transport test \(project.scope) ADDRESS")
        }
        try await homing.projects.setMailTransport(draft, of: project.scope, by: .command)
        let now = try homing.projects.existingOrTenant(project.scope)
        if let domain = MailTrial.unsignedDomain(of: sender, in: now, by: relay) {
            lines.append(
                "nothing here signs emails from \(domain): unless the other side does, homing mail domain add "
                    + "\(now.projectID) \(domain)")
        }
        MailTransportShow.answer(now, homing, format, &output, after: lines)
    }

    /// Without the line end of a file or of `echo`; nil where nothing is left.
    private static func text(_ given: String?) -> String? {
        given.flatMap { text in
            let secret = ASCII.trimmed(text)
            return secret.isEmpty ? nil : String(secret)
        }
    }
}

struct MailTransportShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show through whom emails leave, and where the provider sends its events.",
        discussion: """
            Without a project it shows the server's own (mail.url). Secrets are never shown. `eventsURL` is for the \
            provider's settings: what it says there of emails that bounced reaches the outbox.

            EXAMPLE
              homing mail transport show shop --json
            """)

    @Argument(help: "The project, or PROJECT/TENANT.") var project: Scope?
    @Option(help: "Its tenant.") var tenant: TenantID?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if tenant != nil, project == nil { throw ValidationError("--tenant needs a project") }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let scope = project.map { project in tenant.map { Scope($0, of: project.project) } ?? project }
        Self.answer(try scope.map { try homing.projects.existingOrTenant($0) }, homing, format, &output)
    }

    /// - Parameter project: nil for the server's own.
    static func answer(
        _ project: Project?, _ homing: Homing, _ format: OutputOptions, _ output: inout CommandOutput,
        after more: [String] = []
    ) {
        let own = project?.ownTransport
        let server = homing.serverMail.value
        let url = own?.url ?? server.url
        let sender = own?.sender ?? server.sender
        let secret = own.map { Secret(of: $0, ring: homing.keys.ring) }
        let eventsURL = homing.mailEventsURL(of: own)
        let hasEventsKey = own.map { $0.sealedEventsKey != nil } ?? (server.eventsKey != nil)
        let record = JSON.object([
            ("project", project.map { .string($0.scope.text) } ?? .null),
            ("owner", own.map { .string($0.owner.text) } ?? .null), ("url", url.map { .string($0) } ?? .null),
            ("from", sender.map { .string($0) } ?? .null), ("fallback", own.map { .bool($0.fallsBack) } ?? .null),
            ("secret", secret.map { .string($0.rawValue) } ?? .null), ("eventsURL", .string(eventsURL)),
            ("eventsKey", .bool(hasEventsKey)),
            ("changedAt", own.map { .string(MailCommand.time($0.changedAt)) } ?? .null),
        ])
        var lines: [String] = []
        switch (project, own) {
        case (let project?, let own?) where own.owner != project.scope:
            lines.append("\(project.scope) mails through the transport of \(own.owner)")
        case (let project?, nil): lines.append("\(project.scope) mails through the server's own transport")
        default: break
        }
        lines.append("url \(url ?? "none: HOMING_MAIL_URL is not set here")")
        lines.append("from \(sender ?? "the server's mail.from")")
        if let own { lines.append("fallback \(own.fallsBack ? "the server's own while this one is away" : "none")") }
        if let secret { lines.append("secret \(secret.words)") }
        lines.append("events URL \(eventsURL)")
        lines.append("events key \(hasEventsKey ? "is set" : "none")")
        output.answer(format, json: record, lines: lines + more)
    }

    /// What is known of a secret that is never shown.
    private enum Secret: String {
        case kept, none, unreadable

        init(of own: OwnMailTransport, ring: KeyRing) {
            guard let sealed = own.sealedSecret else {
                self = .none
                return
            }
            let destination = (try? OwnMailURL(parsing: own.url, isPublicOnly: false))?.destination ?? ""
            let isOpen = (try? ring.open(sealed, name: OwnMailTransport.label(own.owner, destination))) != nil
            self = isOpen ? .kept : .unreadable
        }

        var words: String {
            switch self {
            case .kept: "is kept, for this place alone"
            case .none: "none is needed"
            case .unreadable: "cannot be decrypted, or was given for another place: set it again"
            }
        }
    }
}

struct MailTransportTest: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a test email through the project's own transport, and say what it said.",
        discussion: """
            The email goes at once, past the outbox, and is not tried again. The other side has ten seconds.

            EXAMPLE
              homing mail transport test shop you@example.com
            """)

    @OptionGroup var owner: TransportOwner
    @Argument var address: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try homing.projects.existingOrTenant(owner.scope)
        let address = try EmailAddress(parsing: address)
        guard let own = project.ownTransport else { throw Refusal.noMailTransport(of: project.scope) }
        let relay: MailRelay
        do {
            relay = try MailRelay(
                own, ring: homing.keys.ring, isPublicOnly: MailTransportCommand.isPublicOnly(homing))
        } catch let fault as MailURLFault {
            throw Refusal.invalidSetting(fault.sentence, remedy: .setMailTransport(own.owner))
        }
        let trial = MailTrial(
            homing: homing, project: project, relay: relay, sender: own.sender, logger: MailTransportCommand.logger)
        let result = try await trial.send(to: address, by: .command)
        let line = try MailTransportCommand.taken(result)
        output.answer(
            format, json: ["transport": .string(result.transport), "reply": .string(result.reply)], lines: [line])
    }
}

struct MailTransportRemove: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Mail through the server's own transport again, a tenant through its project's.",
        discussion: "EXAMPLE\n  homing mail transport remove shop")

    @OptionGroup var owner: TransportOwner
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        try await homing.projects.removeMailTransport(of: owner.scope, by: .command)
        let project = try homing.projects.existingOrTenant(owner.scope)
        MailTransportShow.answer(project, homing, format, &output)
    }
}

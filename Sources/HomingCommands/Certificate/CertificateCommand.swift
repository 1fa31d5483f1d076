// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCertificates
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingStore
import HomingWire

/// `homing certificate …`.
struct CertificateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "certificate", abstract: "Certificates that serve gets by itself (ACME).",
        discussion: """
            With tls.acme.agree: yes the server gets a certificate for the public URL's host and every link domain, and \
            renews it two thirds into its life.

            EXAMPLE
              homing certificate list
            """,
        subcommands: [CertificateList.self, CertificateRenew.self, CertificateCheck.self])

    /// - Throws: a sentence for an operator who has not switched it on, or whose server does not run.
    static func keeper(_ output: CommandOutput) throws(Refusal) -> CertificateKeeper {
        guard let server = output.server else {
            throw .invalidSetting(
                "no server is running that could answer the authority: start homing serve, which gets certificates by itself"
            )
        }
        guard let keeper = server.certificates else {
            throw .invalidSetting(
                "certificates are not obtained here: read the authority's terms, then set tls.acme.agree: yes "
                    + "(HOMING_TLS_ACME_AGREE)")
        }
        return keeper
    }
}

struct CertificateList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the names, their certificates, and what keeps one back.",
        discussion: "EXAMPLE\n  homing certificate list")

    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let states = try await Certificates(homing).states()
        let now = homing.system.now()
        output.answer(
            format,
            json: .array(
                states.map { state in
                    .object([
                        ("name", .string(state.name)), ("state", .string(Self.word(state, at: now))),
                        ("issuer", state.issuer.map { .string($0) }),
                        ("from", state.beginsAt.map { .string($0.timestamp) }),
                        ("until", state.endsAt.map { .string($0.timestamp) }),
                        ("renewal", state.renewAt.map { .string($0.timestamp) }),
                        ("nextTry", state.failures > 0 ? .string(state.nextAt.timestamp) : nil),
                        ("problem", state.problem.map { .string($0) }),
                    ])
                }),
            styled: Table.lines(
                [["NAME", "STATUS", "FROM", "UNTIL", "RENEWAL", "ISSUER"]]
                    + states.map { state in
                        [
                            state.name, Self.word(state, at: now), state.beginsAt?.day ?? "-", state.endsAt?.day ?? "-",
                            state.renewAt?.day ?? "-", Printable.ascii(state.issuer ?? "-", atMost: 80),
                        ]
                    }, empty: "none: set tls.acme.agree: yes, and homing serve gets them",
                states: ["good": .ok, "renewal fails": .warning, "fails": .fix, "ended": .fix]))
        for state in states {
            guard let problem = state.problem else { continue }
            let next = state.failures > 0 ? "; next try \(MailCommand.time(state.nextAt))" : ""
            output.note("\(state.name): \(problem)\(next)")
        }
    }

    private static func word(_ state: CertificateState, at now: Moment) -> String {
        guard let endsAt = state.endsAt else { return state.failures > 0 ? "fails" : "waits" }
        if endsAt <= now { return "ended" }
        return state.failures > 0 ? "renewal fails" : "good"
    }
}

struct CertificateRenew: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "renew", abstract: "Get a certificate now: for one name, or for all that are due.",
        discussion: """
            Orders at once, also where the last order was refused: mend what `homing certificate check` shows first, \
            because authorities shut out who is refused too often. --force also renews a certificate that is not due.

            EXAMPLE
              homing certificate renew links.shop.example
            """)

    @Argument var name: String?
    @Flag(help: "Also where the certificate is good for long.") var force = false
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let keeper = try CertificateCommand.keeper(output)
        try await keeper.certificates.want(keeper.names, from: keeper.client.directoryURL)
        let wanted = keeper.names
        let states = try await keeper.certificates.states().filter { wanted.contains($0.name) }
        let chosen = name.map { name in states.filter { ASCII.areEqual($0.name, name) } } ?? states
        if let name, chosen.isEmpty {
            throw Refusal.notFound(
                "\(Printable.line(name, atMost: 260)) is no name of this server that needs a certificate; there are: "
                    + (states.isEmpty ? "none" : states.map(\.name).joined(separator: ", ")))
        }
        var answers: [(name: String, outcome: CertificateKeeper.Outcome)] = []
        for (index, state) in chosen.enumerated() {
            output.progress(
                Progress(
                    "getting certificates", done: Int64(index), of: Int64(chosen.count), .items, detail: state.name))
            let outcome = try await keeper.attend(state.name, by: .command) { [force] state in
                let isDue = state.renewAt.map { $0 <= homing.system.now() } ?? true
                return isDue || force ? .order : .rest
            }
            answers.append((state.name, outcome))
        }
        output.answer(
            format,
            json: .array(
                answers.map { answer in
                    ["name": .string(answer.name), "outcome": .string(Self.words(answer.outcome).0)]
                }),
            lines: answers.isEmpty
                ? ["no name needs a certificate"] : answers.map { "\($0.name): \(Self.words($0.outcome).1)" })
        let failures = answers.compactMap { answer in
            if case .failed(let reason, _) = answer.outcome { "\(answer.name): \(reason)" } else { nil }
        }
        if !failures.isEmpty { throw Refusal.invalidSetting(failures.joined(separator: "; ")) }
    }

    private static func words(_ outcome: CertificateKeeper.Outcome) -> (String, String) {
        switch outcome {
        case .obtained(let until): ("obtained", "obtained, good until \(until.day)")
        case .waits(let reason): ("waits", reason)
        case .failed(_, let next): ("failed", "not obtained; the server tries again at \(MailCommand.time(next))")
        case .taken: ("running", "an order for it is running already; see homing certificate list in a minute")
        case .rests: ("good", "good, and not due; --force renews it all the same")
        }
    }
}

struct CertificateCheck: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "See whether a name leads here, as an authority would.",
        discussion: """
            Asks DNS, and then the name's port 80 (where redirect.listen is set) or 443 for a challenge of this \
            server's own. Nothing is ordered.

            EXAMPLE
              homing certificate check links.shop.example
            """)

    @Argument var name: String
    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard let host = WebHost(parsing: name), CertificatePlan.isPublic(host) else {
            throw ValidationError("NAME is a host such as links.shop.example")
        }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let keeper = try CertificateCommand.keeper(output)
        let name = ASCII.lowercased(name)
        let sight = try await keeper.look.at(name, hasPlainListener: keeper.hasPlainListener)
        output.answer(
            format,
            json: [
                "name": .string(name), "leadsHere": .bool(sight.leadsHere),
                "addresses": .array(sight.addresses.map { .string($0) }),
                "challenges": .array(
                    sight.answers.map { answer in
                        .object([
                            ("type", .string(answer.way.type)), ("answers", .bool(answer.fault == nil)),
                            ("fault", answer.fault.map { .string(Printable.ascii($0)) }),
                        ])
                    }),
            ],
            lines: sight.leadsHere
                ? ["\(name) leads here (\(sight.addresses.joined(separator: ", "))), and challenges are answered"] : [])
        guard sight.leadsHere else {
            throw Refusal.invalidSetting("\(name): \(Printable.ascii(sight.sentence, atMost: 600))")
        }
        if !keeper.names.contains(name) {
            output.note("\(name) is no host of this server yet: homing link-domain add PROJECT \(name)")
        }
    }
}

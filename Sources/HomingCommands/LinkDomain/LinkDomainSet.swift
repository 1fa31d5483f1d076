// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingStore
import HomingWire

struct LinkDomainSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Say whether the case of endings counts on a link domain.",
        discussion: """
            Where case is ignored, links.shop.example/SPRING opens links.shop.example/spring, and no ending is given away \
            that another has but for its case. Endings that are there already and differ in nothing else are named: each \
            of them goes on to open in its own case.

            EXAMPLE
              homing link-domain set shop links.shop.example --ignore-case
            """)

    @Argument var project: ProjectID
    @Argument(completion: .linkDomains) var domain: String
    @Flag(help: "Upper and lower case are the same.") var ignoreCase = false
    @Flag(help: "Upper and lower case are two, as at first.") var matchCase = false
    @OptionGroup var format: OutputOptions

    func validate() throws {
        guard ignoreCase != matchCase else { throw ValidationError("say one of --ignore-case and --match-case") }
    }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let (domain, collisions) = try await homing.setCase(
            of: domain, in: project, isIgnored: ignoreCase, by: .command)
        for group in collisions {
            output.note(
                "warning: these differ in case only, and open in their own case alone: "
                    + group.map { "\(domain.baseURL)/\($0)" }.joined(separator: " "))
        }
        output.answer(
            format,
            json: [
                "domain": .string(domain.text), "ignoresCase": .bool(ignoreCase),
                "collisions": .array(collisions.map { .array($0.map { .string($0.text) }) }),
            ],
            lines: ["the case of endings \(ignoreCase ? "does not count" : "counts") on \(domain.text)"])
    }
}

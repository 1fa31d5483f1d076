// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing tenant …`.
struct TenantCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tenant", abstract: "Tenants: parts of a project with accounts and settings of their own.",
        discussion: """
            A tenant has the API keys, domains, apps and brand of its project; apps name it as tenantId. Commands about \
            accounts and emails take PROJECT/TENANT where they take a project.

            EXAMPLE
              homing tenant create shop --id wholesale --name Wholesale \\
                --set allowPasswordSignup=true
            """,
        subcommands: [
            TenantCreate.self, TenantList.self, TenantShow.self, TenantSet.self, TenantDelete.self,
        ])

    /// A tenant in the form that `--json` prints.
    static func record(_ project: Project) -> JSON {
        guard let tenant = project.tenant else { return .null }
        var settings = JSON.Object()
        for key in ProjectSetting.ofTenants {
            if let value = tenant.json(key) { settings[key.name] = value }
        }
        return [
            "id": .string(tenant.id.text), "project": .string(tenant.project.text),
            "displayName": .string(tenant.displayName),
            "settings": .object(settings),
        ]
    }

    /// What people can do in it.
    static func waysIn(_ project: Project) -> String {
        guard !project.isDisabled else { return "nobody gets in" }
        let settings = project.settings
        let ways = [
            settings.allowsEmail ? "password" : nil, settings.allowsEmailLink ? "mailed link" : nil,
            settings.allowsAnonymous ? "anonymous" : nil,
        ].compactMap { $0 }
        return ways.isEmpty ? "no way in yet" : ways.joined(separator: ", ")
    }
}

struct TenantCreate: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Make a tenant; without a setting, nobody can sign in to it yet.",
        discussion: """
            EXAMPLE
              homing tenant create shop --id wholesale --name Wholesale \\
                --set allowPasswordSignup=true --set enableEmailLinkSignin=true
            """)

    @Argument var project: ProjectID
    @Option(help: "Its id, such as the one that it had at Firebase; otherwise one is made of the name.")
    var id: TenantID?
    @Option(help: "What you call it.") var name: String?
    @Option(
        name: .customLong("set"),
        help: ArgumentHelp("A setting, as in homing tenant set; may be given again.", valueName: "name=value"))
    var settings: [String] = []
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let changes = try settings.map { text in
            // No value has an equals sign.
            let parts = ASCII.split(text, at: UInt8(ascii: "="))
            guard parts.count == 2 else { throw ValidationError("--set takes NAME=VALUE, which \(text) is not") }
            return SettingChange(String(parts[0]), to: String(parts[1]))
        }
        let tenant = try await homing.projects.createTenant(
            id, named: name, settings: changes, in: project, by: .command)
        output.answer(
            format, json: TenantCommand.record(tenant),
            lines: [
                "tenant \(tenant.tenant?.id ?? ""), for the tenantId of apps",
                "ways in: \(TenantCommand.waysIn(tenant))",
                "an account: homing account create \(tenant.scope) ADDRESS",
            ])
    }
}

struct TenantList: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the tenants of a project.",
        discussion: "EXAMPLE\n  homing tenant list shop")

    @Argument var project: ProjectID
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let tenants = homing.projects.tenants(of: try homing.projects.existing(project))
        let rows =
            [["TENANT", "NAME", "WAYS IN"]]
            + tenants.map { [$0.scope.text, $0.tenant?.displayName ?? "", TenantCommand.waysIn($0)] }
        output.answer(
            format, json: .array(tenants.map(TenantCommand.record)),
            styled: Table.lines(rows, empty: "no tenant yet: homing tenant create \(project)"))
    }
}

struct TenantShow: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a tenant with its settings.",
        discussion: """
            A setting that is not shown is the project's; a switch that is not shown is off.

            EXAMPLE
              homing tenant show shop/wholesale
            """)

    @Argument(help: "PROJECT/TENANT.") var tenant: Scope
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let project = try TenantArgument.find(tenant, homing)
        guard let tenant = project.tenant else { return }
        var lines: [StyledLine] = [.fact("tenant", project.scope.text)]
        if !tenant.displayName.isEmpty { lines.append(.fact("name", tenant.displayName)) }
        lines.append(.fact("ways in:", TenantCommand.waysIn(project)))
        lines += ProjectSetting.ofTenants.compactMap { key in tenant.value(key.name).map { .fact(key.name, $0) } }
        output.answer(format, json: TenantCommand.record(project), styled: lines)
    }
}

struct TenantSet: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting, by its name in Firebase's document of a tenant.",
        discussion: """
            An empty value goes back to the project's; of a switch it is off.

            SETTINGS
              displayName, \(ProjectSetting.ofTenants.map(\.name).joined(separator: ",\n  "))

            EXAMPLE
              homing tenant set shop/wholesale enableEmailLinkSignin true
            """)

    @Argument(help: "PROJECT/TENANT.") var tenant: Scope
    @Argument(
        help: "Such as enableEmailLinkSignin, or displayName.",
        completion: .list(["displayName"] + ProjectSetting.ofTenants.map(\.name)))
    var key: String
    @Argument var value: String
    @OptionGroup var format: OutputOptions

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let scope = try TenantArgument.find(tenant, homing).scope
        if key == "displayName" {
            try await homing.projects.setTenant(scope, named: value, by: .command)
        } else {
            try await homing.projects.setTenant(scope, settings: [SettingChange(key, to: value)], by: .command)
        }
        output.answer(
            format, json: TenantCommand.record(try homing.projects.existingOrTenant(scope)),
            lines: ["\(key) is now \(value.isEmpty ? "empty" : value)"])
    }
}

struct TenantDelete: IrreversibleCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Remove a tenant with its accounts, for ever.",
        discussion: """
            On a terminal it asks for the tenant's name; a script says --yes.

            EXAMPLE
              homing tenant delete shop/wholesale --yes
            """)

    @Argument(help: "PROJECT/TENANT.") var tenant: Scope
    @OptionGroup var consent: Consent
    @OptionGroup var format: OutputOptions

    var loss: String { "the tenant \(tenant) with its accounts" }
    var lossName: String { tenant.text }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let scope = try TenantArgument.find(tenant, homing).scope
        // Counts of the tenant that are not written yet are removed with it.
        try await homing.outbox.mailCounts.flush()
        try await homing.projects.deleteTenant(scope, by: .command)
        output.answer(
            format, json: ["deleted": .string(scope.text)], lines: ["tenant \(scope) is gone, with its accounts"])
    }
}

private enum TenantArgument {
    /// The tenant that an operator names as `PROJECT/TENANT`.
    static func find(_ scope: Scope, _ homing: Homing) throws(Refusal) -> Project {
        let found = try homing.projects.existingOrTenant(scope)
        guard found.tenant != nil else {
            throw .invalidSetting(
                "\(scope) is a project: a tenant of it is \(scope)/TENANT, as homing tenant list shows")
        }
        return found
    }
}

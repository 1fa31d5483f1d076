// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingStore
import HomingTesting
import Testing

@Suite struct ProjectSettingTests {
    @Test(arguments: [ProjectSetting.all, ProjectSetting.ofTenants])
    func `every setting has a name and a place of its own, and says what it is for`(settings: [ProjectSetting]) {
        #expect(Set(settings.map(\.name)).count == settings.count)
        #expect(Set(settings.map(\.path)).count == settings.count)
        for setting in settings {
            #expect(!setting.label.isEmpty && !setting.accepts.isEmpty, "\(setting.name)")
            #expect(setting.label.utf8.last != UInt8(ascii: "."), "\(setting.name)")
            #expect(setting.hint.isEmpty || setting.hint.utf8.last == UInt8(ascii: "."), "\(setting.name)")
            #expect(setting.hint.utf8.count { $0 == UInt8(ascii: "`") }.isMultiple(of: 2), "\(setting.name)")
            #expect(!setting.path.contains(""), "\(setting.name)")
        }
    }

    @Test func `a refusal repeats no more of a value than tells which it is`() async throws {
        let long = String(repeating: "x", count: 8_000)
        try await withHoming { homing in
            let projects = homing.projects
            let attempts: [(what: String, run: () async throws -> Void)] = [
                ("a value", { try await projects.set("shop", "notification.defaultLocale", to: long) }),
                ("a setting", { try await projects.set("shop", long, to: "true") }),
                (
                    "a tenant's value",
                    {
                        let change = SettingChange("enableEmailLinkSignin", to: long)
                        _ = try await projects.createTenant("guests", named: "Guests", settings: [change], in: "shop")
                    }
                ),
                (
                    "a tenant's setting",
                    {
                        let change = SettingChange(long, to: "true")
                        _ = try await projects.createTenant("guests", named: "Guests", settings: [change], in: "shop")
                    }
                ),
                ("a project", { _ = try projects.existingOrTenant(Scope(long)) }),
                ("a domain", { _ = try AuthorizedDomain(parsing: long + "/") }),
            ]
            for (what, run) in attempts {
                do {
                    try await run()
                    Issue.record("\(what) was taken")
                } catch let refusal as Refusal {
                    #expect(refusal.sentence.contains(long.prefix(80)), "\(what)")
                    #expect(!refusal.sentence.contains(long.prefix(90)), "\(what)")
                }
            }
        }
    }

    @Test func `a default is one of the choices, where there are some`() {
        for setting in ProjectSetting.all where !setting.choices.isEmpty {
            #expect(setting.choices.contains { $0.value.utf8.elementsEqual(setting.standard.utf8) }, "\(setting.name)")
            #expect(!setting.words(for: setting.standard).isEmpty)
        }
    }

    @Test func `a tenant has its project's settings, but for its switches and for what it sets itself`() async throws {
        try await withHoming { homing in
            let rules = "passwordPolicyConfig"
            for (name, value) in [
                ("\(rules).minPasswordLength", "9"), ("\(rules).containsNumericCharacter", "true"),
                ("idToken.algorithm", "ES256"), ("client.permissions.disabledUserSignup", "true"),
                ("autodeleteAnonymousUsers", "true"),
            ] { try await homing.projects.set("shop", name, to: value) }
            let tenant = try await homing.projects.createTenant(
                "guests", named: "Guests",
                settings: [
                    SettingChange("enableEmailLinkSignin", to: "true"),
                    SettingChange("client.permissions.disabledUserDeletion", to: "true"),
                ], in: "shop")
            let settings = tenant.settings
            #expect(settings.passwordPolicy.minimumLength == 9 && settings.passwordPolicy.needsDigit)
            #expect(settings.signingAlgorithm == .es256)
            #expect(!settings.allowsSignUp && !settings.allowsDeletion)
            #expect(!settings.allowsEmail && settings.allowsEmailLink && !settings.allowsAnonymous)
            #expect(settings.value("autodeleteAnonymousUsers") == "false")

            try await homing.projects.setTenant(
                tenant.scope, settings: [SettingChange("\(rules).containsUppercaseCharacter", to: "true")])
            let own = try homing.projects.existingOrTenant(tenant.scope).settings.passwordPolicy
            #expect(own.needsUppercase && !own.needsDigit && own.minimumLength == 6, "rules are taken as a whole")
        }
    }
}

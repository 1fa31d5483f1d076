// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
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

    @Test func `a duration is read and told as people say it`() {
        for (said, seconds, told) in [
            ("3d", 259_200, "3 days"), ("72 hours", 259_200, "3 days"), ("90min", 5_400, "90 minutes"),
            ("1 Hour", 3_600, "1 hour"), ("3600", 3_600, "1 hour"), ("604800s", 604_800, "7 days"),
            ("61", 61, "61 seconds"),
        ] as [(String, Int64, String)] {
            #expect(SpokenDuration(parsing: said)?.seconds == seconds, "\(said)")
            #expect(SpokenDuration(seconds: seconds).text == told, "\(said)")
        }
        for wrong in ["", "d", "3 weeks", "-3d", "1.5h", "3dd", "3d 4h", "106751991167301d", "\u{663}d"] {
            #expect(SpokenDuration(parsing: wrong) == nil, "\(wrong)")
        }
    }

    @Test func `only a duration is taken as people say it`() throws {
        let lifetime = try #require(ProjectSetting.named("actionCodes.lifetimeSeconds.PASSWORD_RESET"))
        let quota = try #require(ProjectSetting.named("quota.signUpQuotaConfig.quotaDuration"))
        #expect(lifetime.kept("3d") == "259200" && lifetime.kept("soon") == "soon")
        #expect(quota.kept("7 days") == "604800s")
        #expect(lifetime.printed("259200") == "259200 (3 days)" && quota.printed("") == "")
        #expect(lifetime.acceptsInWords == "a time from 1 second to 90 days")
        #expect(quota.acceptsInWords == "a time of 1 second or more")
        for setting in ProjectSetting.all where setting.seconds == nil {
            #expect(setting.kept("3d") == "3d" && setting.printed("true") == "true", "\(setting.name)")
        }
    }

    @Test func `a switch that forbids is told by what it allows`() {
        let negated = (ProjectSetting.all + ProjectSetting.ofTenants).filter(\.isNegated)
        #expect(
            Set(negated.map(\.name)) == [
                "signIn.email.passwordRequired", "client.permissions.disabledUserSignup",
                "client.permissions.disabledUserDeletion", "disableAuth",
            ])
        for setting in negated {
            #expect(setting.kind == .flag && setting.standard == "false", "\(setting.name)")
            #expect(setting.words(for: "false") == "on" && setting.words(for: "true") == "off", "\(setting.name)")
            #expect(setting.meaning.hasSuffix(", unless it is `true`"), "\(setting.name)")
        }
        for setting in ProjectSetting.all + ProjectSetting.ofTenants where setting.kind == .flag {
            let words = setting.label.lowercased().split(separator: " ")
            #expect(!words.contains { ["no", "not", "nobody", "disable", "off"].contains($0) }, "\(setting.name)")
        }
    }

    @Test func `the settings of a group stand together, and each group has some`() {
        let groups = ProjectSetting.all.map(\.group)
        var runs: [ProjectSetting.Group] = []
        for group in groups where group != runs.last { runs.append(group) }
        #expect(runs == ProjectSetting.Group.allCases)
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

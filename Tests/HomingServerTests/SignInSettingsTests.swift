// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Sign-in settings in the console` {
    private static let lifetime = "actionCodes.lifetimeSeconds.PASSWORD_RESET"
    private static let quota = "quota.signUpQuotaConfig"

    /// The page as an editor sees it, behind a change of the project's settings.
    private func withEditor(
        _ run: (ConsoleVisitor, TestHoming) async throws -> Void
    ) async throws {
        try await withHoming { homing in
            try await withServer(homing) { server in
                try await run(try await ConsoleVisitor(.editor, homing, server), homing)
            }
        }
    }

    @Test func `each group is a form of its own, and a setting stands in one of them`() async throws {
        try await withEditor { visitor, _ in
            var forms: [String] = []
            for path in ["sign-in", "sign-in/advanced"] {
                let main = try #require(try await visitor.get(path).text.components(separatedBy: "<main").last)
                forms += main.components(separatedBy: "<form ").dropFirst()
            }
            #expect(forms.count == ProjectSetting.Group.allCases.count)
            for setting in ProjectSetting.all {
                let places = forms.filter { $0.contains(" name=\"\(setting.name)\"") }
                #expect(places.count == 1, "\(setting.name)")
            }
            #expect(forms.allSatisfy { $0.contains("name=\"token\"") })
        }
    }

    @Test func `what was saved is said where it was saved`() async throws {
        try await withEditor { visitor, homing in
            let name = "passwordPolicyConfig.minPasswordLength"
            let saved = try await visitor.send("sign-in", [("was:\(name)", "6"), (name, "12")])
            let place = try #require(saved.header("Location"))
            #expect(saved.status == 303 && place.hasSuffix("#passwords"))
            #expect(try homing.shop.settings.value(name) == "12")
            let page = try await visitor.get(String(place.prefix { $0 != "#" })).text
            #expect(page.components(separatedBy: "Saved.").count == 2)
            let group = try #require(page.components(separatedBy: "<section id=\"passwords\">").last)
            #expect(group.prefix(300).contains("Saved."))
        }
    }

    @Test func `a duration is a number and a unit, and is kept in seconds`() async throws {
        try await withEditor { visitor, homing in
            let name = Self.lifetime
            let form = [("was:\(name)", "3600"), (name, "3"), ("unit:\(name)", "days")]
            #expect(try await visitor.send("sign-in", form).status == 303)
            #expect(try homing.shop.settings.value(name) == "259200")
            let page = try await visitor.get("sign-in")
            #expect(page.value(of: name) == "3" && page.value(of: "was:\(name)") == "259200")
            let units = try #require(page.text.components(separatedBy: "name=\"unit:\(name)\"").last)
            #expect(units.prefix(300).contains("<option selected>days</option>"))

            let refused = try await visitor.send(
                "sign-in", [("was:\(name)", "259200"), (name, "91"), ("unit:\(name)", "days")])
            #expect(refused.status == 400 && refused.value(of: name) == "91")
            #expect(refused.faults[name] == "This takes a time from 1 second to 90 days.")
        }
    }

    @Test func `the same duration in another unit is no change`() async throws {
        try await withEditor { visitor, homing in
            let name = Self.lifetime
            try await homing.projects.set("shop", name, to: "7200")
            let form = [("was:\(name)", "3600"), (name, "60"), ("unit:\(name)", "minutes")]
            #expect(try await visitor.send("sign-in", form).status == 303, "nobody's change is written over")
            #expect(try homing.shop.settings.value(name) == "7200")
        }
    }

    @Test func `sign-ups are let in from a time in UTC on, for a while`() async throws {
        try await withEditor { visitor, homing in
            let form = [
                ("was:\(Self.quota).quota", ""), ("\(Self.quota).quota", "500"),
                ("was:\(Self.quota).startTime", ""), ("\(Self.quota).startTime", "2026-12-24T18:00"),
                ("was:\(Self.quota).quotaDuration", ""), ("\(Self.quota).quotaDuration", "7"),
                ("unit:\(Self.quota).quotaDuration", "days"),
            ]
            #expect(try await visitor.send("sign-in/advanced", form).status == 303)
            let settings = try homing.shop.settings
            #expect(settings.value("\(Self.quota).startTime") == "2026-12-24T18:00:00.000Z")
            #expect(settings.value("\(Self.quota).quotaDuration") == "604800s")
            let page = try await visitor.get("sign-in/advanced")
            #expect(page.value(of: "\(Self.quota).startTime") == "2026-12-24T18:00")
            #expect(page.value(of: "\(Self.quota).quotaDuration") == "7")
        }
    }

    @Test func `a switch that forbids is shown by what it allows`() async throws {
        try await withEditor { visitor, homing in
            let name = "client.permissions.disabledUserSignup"
            let box = "name=\"\(name)\" value=\"false\""
            #expect(try await visitor.get("sign-in").text.contains("\(box) checked"))
            #expect(try await visitor.send("sign-in", [("was:\(name)", "false")]).status == 303)
            #expect(try homing.shop.settings.allowsSignUp == false)
            let off = try await visitor.get("sign-in").text
            #expect(off.contains(box) && !off.contains("\(box) checked"))
            #expect(try await visitor.send("sign-in", [("was:\(name)", "true"), (name, "false")]).status == 303)
            #expect(try homing.shop.settings.allowsSignUp)
        }
    }

    @Test func `everything that is wrong is listed on top, with a link to each field`() async throws {
        try await withEditor { visitor, _ in
            let (least, page) = ("passwordPolicyConfig.minPasswordLength", "notification.sendEmail.callbackUri")
            let refused = try await visitor.send(
                "sign-in", [("was:\(least)", "6"), (least, "5"), ("was:\(page)", ""), (page, "ftp://shop.example")])
            let summary = try #require(refused.text.components(separatedBy: "role=\"alert\"").dropFirst().first)
            let top = try #require(summary.components(separatedBy: "</div>").first)
            for name in [least, page] {
                let id = "f-" + name.replacing(".", with: "-")
                #expect(top.contains("href=\"#\(id)\"") && refused.text.contains("id=\"\(id)\""), "\(name)")
            }
            #expect(top.contains("Minimum length: This takes a whole number from 6 to 30."))
            #expect(refused.text.components(separatedBy: "autofocus").count == 2, "the focus goes to the list")
            #expect(refused.text.contains("<title>Error: Sign-in"))
        }
    }
}

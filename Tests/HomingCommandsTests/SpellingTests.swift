// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingOperations
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `A name that there is not` {
    @Test(
        arguments: [
            ("Shop", "shop"), ("shp", "shop"), ("hsop", nil), ("shopp", "shop"), ("harbour", nil), ("", nil),
            ("harbor-north", "harbour-north"),
        ] as [(String, String?)])
    func `is answered with the one that was probably meant`(typed: String, meant: String?) {
        #expect(Spelling.nearest(to: typed, among: ["shop", "harbour-north"]) == meant)
    }

    @Test func `is told on a terminal alone`() {
        let refusal = Refusal.notFound("there is no project Shop", remedy: .meant("shop"))
        #expect(RefusalLine.text(refusal) == "there is no project Shop; did you mean shop?")
        #expect(refusal.wireMessage == "NOT_FOUND : there is no project Shop")
        let wild = Refusal.notFound("no domain", remedy: .meant("*.shop.example"))
        #expect(RefusalLine.text(wild) == "no domain; did you mean '*.shop.example'?")
    }

    @Test func `is looked for among those that there are, of whatever kind`() async throws {
        try await withHoming { homing in
            let projects = homing.projects
            func remedy(_ work: () async throws -> Void) async -> Remedy? {
                do {
                    try await work()
                } catch let refusal as Refusal {
                    return refusal.remedy
                } catch {}
                return nil
            }
            #expect(await remedy { _ = try projects.existing("Shop") } == .meant("shop"))
            #expect(await remedy { _ = try projects.existing("harbour") } == .createProject("harbour"))
            let key = "actionCode.lifetimeSeconds.PASSWORD_RESET"
            #expect(
                await remedy { try await projects.set("shop", key, to: "1800", by: .command) }
                    == .meant("actionCodes.lifetimeSeconds.PASSWORD_RESET"))
            try await projects.addDomain("www.partner.example", to: "shop", by: .command)
            #expect(
                await remedy { try await projects.removeDomain("www.partnr.example", from: "shop", by: .command) }
                    == .meant("www.partner.example"))
            _ = try await homing.operators.add("ann@example.com", role: .owner, projects: nil, by: .command)
            #expect(await remedy { _ = try await homing.operators.find("an@example.com") } == .meant("ann@example.com"))
        }
    }
}

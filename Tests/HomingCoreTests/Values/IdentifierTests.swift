// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `Ids of projects and tenants` {
    @Test func `two spellings of one letter are two ids, also as keys`() throws {
        let (composed, decomposed) = (ProjectID("caf\u{E9}"), ProjectID("cafe\u{301}"))
        #expect(composed.text == decomposed.text, "or this test is about nothing")
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `one id has one hash, however its text is kept`() {
        for text in [String(decoding: Array("shop".utf8), as: UTF8.self), String("a shop".dropFirst(2))] {
            #expect(ProjectID(text) == "shop")
            #expect(ProjectID(text).hashValue == ProjectID("shop").hashValue)
            #expect([Scope(text): 1]["shop"] == 1)
        }
    }

    @Test func `a scope tells its project, and its tenant where it is one`() {
        let tenant = Scope("staff-x1b2c", of: "shop")
        #expect(tenant == "shop/staff-x1b2c")
        #expect(tenant.project == "shop")
        #expect(tenant.tenant == "staff-x1b2c")
        for text in ["shop", "shop/"] {
            #expect(Scope(text).project == "shop")
            #expect(Scope(text).tenant == nil)
        }
    }

    @Test func `an id is a plain string in JSON`() throws {
        let written = try JSONEncoder().encode(["shop"] as [ProjectID])
        #expect(String(decoding: written, as: UTF8.self) == #"["shop"]"#)
        #expect(try JSONDecoder().decode([Scope].self, from: Data(#"["shop"]"#.utf8)) == ["shop"])
    }

    @Test func `a tenant's scope is no project's id, and the answer says whose tenant it is`() async throws {
        try await withHoming { homing async throws in
            let tenant = try await homing.projects.createTenant("staff", named: "Staff", in: "shop")
            #expect(tenant.scope == "shop/staff")
            #expect(tenant.projectID == "shop")
            #expect(homing.projects.projectOrTenant("shop/staff") == tenant)
            #expect(homing.projects.project("shop/staff") == nil)
            let refusal = #expect(throws: Refusal.self) { try homing.projects.existing("shop/staff") }
            #expect(refusal?.sentence == "shop/staff is a tenant, and this is about a whole project: shop")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingProjects
import Testing

@Suite struct `Names that a shell proposes` {
    @Test func `are those of the projects, but for one that a shell would expand or run`() throws {
        let list = """
            [{"id": "shop", "apps": [{"id": "com.example.ios"}, {"id": "$(id)"}], "authorizedDomains": ["shop.example",
            "*.shop.example", "`id`"], "linkDomains": ["go.shop.example", "shop.example/l", "a b"]}, {"id": "a;id"}]
            """
        let names = try KnownNames(of: Array(list.utf8))
        let shop = try #require(names.projects.first)
        #expect(names.projects.map(\.id) == ["shop"] && shop.apps == ["com.example.ios"])
        #expect(shop.domains == ["shop.example"] && shop.linkDomains == ["go.shop.example", "shop.example/l"])
    }
}

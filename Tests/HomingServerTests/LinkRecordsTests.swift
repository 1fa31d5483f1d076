// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import HomingWire
import Testing

/// `/v1/projects/{project}/links` over HTTP.
@Suite struct LinkRecordsTests {
    private static let links = "/v1/projects/shop/links"
    private static let spring = "\(links)/go.shop.example/spring"

    /// A back end at the admin listener.
    private struct BackEnd {
        let server: LiveServer
        var key = "owner"

        func ask(_ method: String, _ path: String, _ json: String? = nil) async throws -> RESTAnswer {
            try await server.admin.send(
                method, path, headers: [("Authorization", "Bearer \(key)"), ("Content-Type", "application/json")],
                body: json.map { Array($0.utf8) })
        }

        func make(_ ending: String, _ more: String = "", link: String = "https://shop.example/a") async throws
            -> RESTAnswer
        {
            try await ask(
                "POST", LinkRecordsTests.links,
                #"{"shortLink":"https://go.shop.example/\#(ending)","dynamicLinkInfo":{"link":"\#(link)"}\#(more)}"#)
        }
    }

    private func withBackEnd(_ body: (TestHoming, BackEnd) async throws -> Void) async throws {
        try await withHoming(linkDomains: ["go.shop.example", "shop.example/l"]) { homing in
            try await withServer(homing, acceptsOwner: true) { server in
                try await body(homing, BackEnd(server: server))
            }
        }
    }

    @Test func `a link is made, told, changed by a mask, and deleted for good`() async throws {
        try await withBackEnd { homing, backEnd async throws in
            let made = try await backEnd.make(
                "spring",
                #","title":"Spring","tags":["b","a"],"endsAt":"2099-01-01","maxClicks":"9","languageLinks":{"de":"https://shop.example/de"}"#
            )
            #expect(made.status == 200, "\(made.text)")
            #expect(made.string("shortLink") == "https://go.shop.example/spring")
            #expect(made.string("dynamicLinkInfo", "link") == "https://shop.example/a")
            #expect(
                made["tags"] == ["a", "b"] && made["maxClicks"] == 9 && made["version"] == 1 && made["clicks"] == 0)
            #expect(made.string("state") == "ACTIVE" && made.string("endsAt") == "2099-01-01T00:00:00.000Z")
            #expect(made["createTime"] != nil && made["createTime"] == made["updateTime"])
            #expect(try await backEnd.ask("GET", Self.spring).json == made.json)

            let changed = try await backEnd.ask(
                "PATCH", "\(Self.spring)?updateMask=dynamicLinkInfo.link,maxClicks,dynamicLinkInfo.iosInfo",
                #"{"title":"Other","dynamicLinkInfo":{"link":"https://shop.example/b","iosInfo":{"iosFallbackLink":"https://shop.example/i"}}}"#
            )
            #expect(changed.status == 200, "\(changed.text)")
            #expect(changed.string("dynamicLinkInfo", "link") == "https://shop.example/b")
            #expect(changed.string("dynamicLinkInfo", "iosInfo", "iosFallbackLink") == "https://shop.example/i")
            #expect(changed.string("title") == "Spring" && changed["maxClicks"] == nil && changed["version"] == 2)

            // Without a mask what the body has is meant, and nothing else.
            let tagged = try await backEnd.ask(
                "PATCH", Self.spring,
                #"{"tags":[],"state":"DISABLED","dynamicLinkInfo":{"socialMetaTagInfo":{"socialTitle":"T"}}}"#)
            #expect(tagged["tags"] == nil && tagged.string("state") == "DISABLED")
            #expect(tagged.string("dynamicLinkInfo", "link") == "https://shop.example/b")
            #expect(tagged.string("dynamicLinkInfo", "iosInfo", "iosFallbackLink") == "https://shop.example/i")
            #expect(tagged.string("dynamicLinkInfo", "socialMetaTagInfo", "socialTitle") == "T")
            #expect(try await backEnd.ask("PATCH", Self.spring, #"{"state":"ARCHIVED"}"#).string("state") == "ARCHIVED")
            #expect(try await backEnd.ask("PATCH", Self.spring, #"{"state":"ACTIVE"}"#).string("state") == "ACTIVE")

            #expect(try await backEnd.ask("DELETE", Self.spring).string("state") == "DELETED")
            #expect(try await backEnd.ask("GET", Self.spring).string("state") == "DELETED")
            #expect(try await backEnd.ask("PATCH", Self.spring, #"{"title":"x"}"#).status == 404)
            #expect(try await backEnd.make("spring").status == 409)
            let actions = try await homing.audit.list(project: "shop").map(\.action)
            for action in ["link.create", "link.edit", "link.archive", "link.unarchive", "link.delete"] {
                #expect(actions.contains(action), "\(action)")
            }
        }
    }

    @Test func `a link is changed and archived at once, and archiving alone makes no version`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            let both = try await backEnd.ask("PATCH", Self.spring, #"{"title":"Spring","state":"ARCHIVED"}"#)
            #expect(both.string("state") == "ARCHIVED" && both.string("title") == "Spring" && both["version"] == 2)
            let back = try await backEnd.ask("PATCH", Self.spring, #"{"state":"ACTIVE"}"#)
            #expect(back.string("state") == "ACTIVE" && back["version"] == 2)
        }
    }

    @Test func `a change means the exact ending, and reading takes any spelling`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            #expect(try await backEnd.ask("GET", "\(Self.spring).").status == 200)
            for (method, path, json) in [
                ("DELETE", "\(Self.spring).", nil), ("PATCH", "\(Self.spring).", #"{"title":"x"}"#),
                ("POST", "\(Self.spring).:restore", #"{"version":1}"#),
            ] as [(String, String, String?)] {
                #expect(try await backEnd.ask(method, path, json).status == 404, "\(method) \(path)")
            }
            for text in ["spring", "go.shop.example/spring", "https://go.shop.example/spring.", "/spring", ""] {
                let requests = #"{"requests":[{"delete":"\#(text)"},{"update":{"shortLink":"\#(text)","title":"x"}}]}"#
                let answer = try await backEnd.ask("POST", "\(Self.links):batch", requests)
                let results = answer["results"]?.arrayValue?.compactMap(\.objectValue) ?? []
                #expect(results.count == 2 && results.allSatisfy { $0["error"] != nil }, "\(text) \(answer.text)")
            }
            #expect(try await backEnd.ask("GET", Self.spring)["version"] == 1)
        }
    }

    @Test func `whoever has not seen what somebody else has saved is told so`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            #expect(try await backEnd.ask("PATCH", Self.spring, #"{"version":1,"title":"A"}"#).status == 200)
            let late = try await backEnd.ask("PATCH", Self.spring, #"{"version":1,"title":"B"}"#)
            #expect(late.status == 409 && late.string("error", "status") == "ABORTED", "\(late.text)")
            #expect(try await backEnd.ask("GET", Self.spring).string("title") == "A")
        }
    }

    @Test func `versions are told, and one of them comes back`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            _ = try await backEnd.ask("PATCH", Self.spring, #"{"dynamicLinkInfo":{"link":"https://shop.example/b"}}"#)
            _ = try await backEnd.ask("DELETE", Self.spring)
            let versions = try await backEnd.ask("GET", "\(Self.spring)/versions")["versions"]?.arrayValue ?? []
            #expect(versions.compactMap { $0.objectValue?["version"] } == [3, 2, 1])
            let restored = try await backEnd.ask("POST", "\(Self.spring):restore", #"{"version":1}"#)
            #expect(restored.string("dynamicLinkInfo", "link") == "https://shop.example/a", "\(restored.text)")
            #expect(restored.string("state") == "ACTIVE" && restored["version"] == 4)
            #expect(try await backEnd.ask("POST", "\(Self.spring):restore", #"{"version":9}"#).status == 404)
            #expect(try await backEnd.ask("POST", "\(Self.spring):restore", "{}").status == 400)
            #expect(try await backEnd.ask("GET", "\(Self.links)/go.shop.example/none/versions").status == 404)
        }
    }

    @Test func `a domain with a prefix is percent-encoded in the path, and is the default for nobody else`()
        async throws
    {
        try await withBackEnd { _, backEnd async throws in
            let made = try await backEnd.ask(
                "POST", Self.links,
                #"{"dynamicLinkInfo":{"domainUriPrefix":"https://shop.example/l","link":"https://shop.example/a"},"suffix":{"option":"CUSTOM","customSuffix":"x"}}"#
            )
            #expect(made.string("shortLink") == "https://shop.example/l/x", "\(made.text)")
            #expect(try await backEnd.ask("GET", "\(Self.links)/shop.example%2Fl/x").json == made.json)
            #expect(try await backEnd.ask("GET", "\(Self.links)/shop.example/x").status == 404)
            let short = try await backEnd.ask(
                "POST", Self.links,
                #"{"dynamicLinkInfo":{"link":"https://shop.example/a"},"suffix":{"option":"SHORT"}}"#)
            #expect(short.string("shortLink")?.hasPrefix("https://go.shop.example/") == true)
        }
    }

    @Test func `links are found and paged, and what cannot be meant is refused by name`() async throws {
        try await withBackEnd { homing, backEnd async throws in
            for ending in ["a1", "a2", "a3"] {
                _ = try await backEnd.make(ending, #","title":"The letter \#(ending)""#)
                homing.clock.advance(seconds: 1)
            }
            _ = try await backEnd.make(
                "off", #","state":"DISABLED","tags":["t"]"#, link: "https://www.shop.example/z/?utm_source=x")
            func endings(_ query: String) async throws -> [String] {
                let answer = try await backEnd.ask("GET", "\(Self.links)?\(query)")
                #expect(answer.status == 200, "\(query): \(answer.text)")
                return (answer["links"]?.arrayValue ?? []).compactMap { link in
                    link.objectValue?["shortLink"]?.stringValue?.split(separator: "/").last.map(String.init)
                }
            }
            #expect(try await endings("") == ["off", "a3", "a2", "a1"])
            #expect(try await endings("orderBy=oldest&state=ACTIVE") == ["a1", "a2", "a3"])
            #expect(try await endings("search=letter%20a2") == ["a2"])
            #expect(try await endings("search=a") == ["a1", "a2", "a3"])
            #expect(try await endings("target=shop.example/z") == ["off"])
            #expect(try await endings("tag=t") == ["off"])
            #expect(try await endings("state=DISABLED") == ["off"])
            #expect(try await endings("domain=shop.example%2Fl") == [])
            for name in ["search", "tag", "target"] { #expect(try await endings("\(name)=a%00") == []) }
            let first = try await backEnd.ask("GET", "\(Self.links)?pageSize=3")
            let token = try #require(first.string("nextPageToken"))
            #expect(try await endings("pageSize=3&pageToken=\(token)") == ["a1"])
            for (query, part) in [
                ("pageToken=\(token)&search=a", "INVALID_PAGE_SELECTION"),
                ("pageToken=forged", "INVALID_PAGE_SELECTION"),
                ("pageSize=-1", "pageSize"), ("pageSize=x", "pageSize"), ("state=GONE", "state"),
                ("orderBy=luck", "orderBy"), ("domain=other.example", "INVALID_DYNAMIC_LINK_DOMAIN"),
                ("createdFrom=yesterday", "createdFrom"),
            ] {
                let refused = try await backEnd.ask("GET", "\(Self.links)?\(query)")
                #expect(
                    refused.status == 400 && refused.errorMessage?.contains(part) == true, "\(query) \(refused.text)")
            }
        }
    }

    @Test func `bad links are refused, and nothing of them is done`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            for (json, part) in [
                (#"{"shortLink":"https://go.shop.example/x"}"#, "MISSING_LINK"),
                (
                    #"{"shortLink":"https://elsewhere.example/x","dynamicLinkInfo":{"link":"https://shop.example/"}}"#,
                    "INVALID_DYNAMIC_LINK_DOMAIN"
                ),
                (#"{"dynamicLinkInfo":{"link":"https://evil.example/"}}"#, "UNAUTHORIZED_DOMAIN"),
                (
                    #"{"dynamicLinkInfo":{"link":"https://shop.example/"},"afterEnd":"https://evil.example/"}"#,
                    "UNAUTHORIZED_DOMAIN"
                ),
                (#"{"dynamicLinkInfo":{"link":"https://shop.example/"},"endsAt":"soon"}"#, "endsAt"),
                (#"{"dynamicLinkInfo":{"link":"https://shop.example/"},"state":"ARCHIVED"}"#, "state"),
                (#"{"dynamicLinkInfo":{"link":"https://shop.example/"},"state":"ENDED"}"#, "state"),
                (#"{"dynamicLinkInfo":{"link":"https://shop.example/"},"state":"DELETED"}"#, "state"),
                (
                    #"{"dynamicLinkInfo":{"link":"https://shop.example/"},"languageLinks":{"not a tag":"x"}}"#,
                    "languageLinks"
                ),
                (#"{"dynamicLinkInfo":"https://shop.example/"}"#, "dynamicLinkInfo"),
            ] {
                let refused = try await backEnd.ask("POST", Self.links, json)
                #expect(refused.status == 400 && refused.text.contains(part), "\(json) \(refused.text)")
            }
            for (query, json, part) in [
                ("updateMask=clicks", "{}", "updateMask"), ("updateMask=dynamicLinkInfo.none", "{}", "updateMask"),
                ("updateMask=state", #"{"state":"DELETED"}"#, "state"),
                ("updateMask=dynamicLinkInfo", "{}", "MISSING_LINK"),
                ("", #"{"title":"T","dynamicLinkInfo":{"link":"https://evil.example/"}}"#, "UNAUTHORIZED_DOMAIN"),
            ] {
                let refused = try await backEnd.ask("PATCH", "\(Self.spring)?\(query)", json)
                #expect(refused.status == 400 && refused.text.contains(part), "\(query) \(json) \(refused.text)")
            }
            let spring = try await backEnd.ask("GET", Self.spring)
            #expect(spring["version"] == 1 && spring["title"] == nil)
            #expect(try await backEnd.ask("GET", Self.links)["links"]?.arrayValue?.count == 1)
        }
    }

    @Test func `each request of a batch has its own link or error`() async throws {
        try await withBackEnd { homing, backEnd async throws in
            _ = try await backEnd.make("old")
            let answer = try await backEnd.ask(
                "POST", "\(Self.links):batch",
                #"""
                {"requests":[
                    {"create":{"shortLink":"https://go.shop.example/new","dynamicLinkInfo":{"link":"https://shop.example/n"}}},
                    {"create":{"shortLink":"https://go.shop.example/bad","dynamicLinkInfo":{"link":"https://evil.example/"}}},
                    {"update":{"shortLink":"https://go.shop.example/old","title":"Old","tags":["x"]},"updateMask":"title"},
                    {"update":{"shortLink":"https://go.shop.example/none","title":"x"}},
                    {"delete":"https://go.shop.example/new"}, {"delete":"https://go.shop.example/new","create":{}}, {}
                ]}
                """#)
            #expect(answer.status == 200, "\(answer.text)")
            let results = answer["results"]?.arrayValue?.compactMap(\.objectValue) ?? []
            func text(_ index: Int, _ part: String, _ name: String) -> String? {
                results[index][part]?.objectValue?[name]?.stringValue
            }
            #expect(results.count == 7)
            #expect(text(0, "link", "shortLink") == "https://go.shop.example/new")
            #expect(text(1, "error", "message")?.contains("UNAUTHORIZED_DOMAIN") == true)
            #expect(text(2, "link", "title") == "Old" && results[2]["link"]?.objectValue?["tags"] == nil)
            #expect(text(3, "error", "status") == "NOT_FOUND" && results[3]["error"]?.objectValue?["code"] == 404)
            #expect(text(4, "link", "state") == "DELETED")
            #expect(results[5]["error"] != nil && results[6]["error"] != nil)
            let entries = try await homing.audit.list(project: "shop").map(\.action)
            #expect(entries.filter { $0 == "link.create" }.count == 2 && entries.contains("link.delete"))

            let many = #"{"requests":["# + [String](repeating: "{}", count: 1001).joined(separator: ",") + "]}"
            #expect(try await backEnd.ask("POST", "\(Self.links):batch", many).status == 400)
            #expect(try await backEnd.ask("POST", "\(Self.links):batch", "{}").status == 400)
        }
    }

    @Test func `the QR code of a link is a picture in a size`() async throws {
        try await withBackEnd { _, backEnd async throws in
            _ = try await backEnd.make("spring")
            let svg = try await backEnd.ask("GET", "\(Self.spring)/qr")
            #expect(svg.header("Content-Type") == "image/svg+xml" && svg.text.hasPrefix("<svg"))
            let png = try await backEnd.ask("GET", "\(Self.spring)/qr?format=png&size=300")
            #expect(png.header("Content-Type") == "image/png" && png.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            // Width and height stand behind the names of the file and of its first chunk.
            #expect(Array(png.body[16..<24]) == [0, 0, 1, 44, 0, 0, 1, 44])
            for query in ["format=gif", "size=x", "size=9", "size=99999"] {
                #expect(try await backEnd.ask("GET", "\(Self.spring)/qr?\(query)").status == 400, "\(query)")
            }
            #expect(try await backEnd.ask("GET", "\(Self.links)/go.shop.example/none/qr").status == 404)
        }
    }

    @Test func `another method is told which there are, and a key of another project sees nothing`() async throws {
        try await withBackEnd { homing, backEnd async throws in
            _ = try await backEnd.make("spring")
            for (method, path, allowed) in [
                ("PUT", Self.links, "GET, HEAD, POST"), ("POST", Self.spring, "DELETE, GET, HEAD, PATCH"),
                ("GET", "\(Self.spring):restore", "POST"), ("GET", "\(Self.links):batch", "POST"),
                ("POST", "\(Self.spring)/versions", "GET, HEAD"), ("DELETE", "\(Self.spring)/qr", "GET, HEAD"),
                ("POST", "/healthz", "GET, HEAD"),
            ] {
                let answer = try await backEnd.ask(method, path, "{}")
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.header("Allow") == allowed, "\(method) \(path)")
            }
            _ = try await homing.projects.create(
                id: "elsewhere", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            let (_, secret) = try await homing.adminKeys.create(name: "other", projects: ["elsewhere"])
            var other = backEnd
            other.key = secret
            #expect(try await other.ask("GET", Self.links).status == 403)
            #expect(try await other.ask("DELETE", Self.spring).status == 403)
            #expect(try await backEnd.server.admin.get(Self.links).status == 401)
        }
    }
}

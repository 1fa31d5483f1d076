// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTesting
import Testing

@Suite struct `The list of accounts` {
    /// Five people with addresses and two without, made one second after the other; the second one is disabled and the
    /// third one verified.
    private func withPeople(_ body: @Sendable (TestHoming) async throws -> Void) async throws {
        try await withHoming { homing async throws in
            for name in ["eva", "bob", "cem", "ann", "dan"] {
                homing.clock.advance(seconds: 1)
                var change = AccountChange()
                change.email = .set(try EmailAddress(parsing: "\(name)@home.example"))
                change.isDisabled = name == "bob"
                change.isEmailVerified = name == "cem"
                _ = try await homing.accounts.create(change, id: AccountID("id-\(name)"), in: homing.shop)
            }
            for id in ["no-one", "no-two"] as [AccountID] {
                homing.clock.advance(seconds: 1)
                _ = try await homing.accounts.create(AccountChange(), id: id, in: homing.shop)
            }
            try await body(homing)
        }
    }

    private func query(_ order: AccountQuery.Order, limit: Int = 50) -> AccountQuery {
        var query = AccountQuery()
        (query.order, query.limit) = (order, limit)
        return query
    }

    /// The ids of all pages, one behind the other.
    private func ids(
        _ query: AccountQuery, _ homing: TestHoming, readingAtMost most: Int = AccountQuery.mostRead
    ) async throws -> [String] {
        var (query, ids, pages) = (query, [String](), 0)
        repeat {
            let page = try await homing.accounts.find(query, in: homing.shop, readingAtMost: most)
            #expect(page.accounts.count <= query.limit)
            ids += page.accounts.map(\.id.text)
            query.after = page.next
            pages += 1
        } while query.after != nil && pages < 50
        #expect(pages < 50, "the pages come to an end")
        return ids
    }

    @Test(arguments: [1, 2, 3, 7, 50])
    func `each order has every account once, however long its pages are`(limit: Int) async throws {
        try await withPeople { homing async throws in
            let byName = ["id-ann", "id-bob", "id-cem", "id-dan", "id-eva", "no-one", "no-two"]
            let newest = ["no-two", "no-one", "id-dan", "id-ann", "id-cem", "id-bob", "id-eva"]
            #expect(try await ids(query(.address, limit: limit), homing) == byName)
            #expect(try await ids(query(.id, limit: limit), homing) == byName)
            #expect(try await ids(query(.newest, limit: limit), homing) == newest)
            var seen = AccountChange()
            seen.lastLoginAt = homing.clock.now
            _ = try await homing.accounts.change("id-cem", seen, in: homing.shop, by: .command)
            let signedIn = try await ids(query(.lastSignIn, limit: limit), homing)
            #expect(signedIn == ["id-cem"] + byName.filter { $0 != "id-cem" }, "who never came stands last")
        }
    }

    @Test func `accounts are counted, and left out by status, verification and password`() async throws {
        try await withPeople { homing async throws in
            _ = try await homing.signUp("fay@home.example")
            func found(_ set: (inout AccountQuery) -> Void) async throws -> (ids: [String], total: Int?, count: Int?) {
                var query = query(.id)
                set(&query)
                let page = try await homing.accounts.find(query, in: homing.shop)
                return (page.accounts.map(\.id.text), page.total, page.matching)
            }
            let disabled = try await found { $0.isDisabled = true }
            #expect(disabled.ids == ["id-bob"] && disabled.total == 8 && disabled.count == 1)
            #expect(try await found { $0.isEmailVerified = true }.ids == ["id-cem"])
            #expect(try await found { $0.hasPassword = true }.count == 1)
            #expect(try await found { $0.beginning = "ID-" }.count == 0, "the case of letters counts in ids")
            #expect(try await found { $0.beginning = "EVA" }.ids == ["id-eva"], "and not in addresses")
            let enabled = try await found {
                ($0.beginning, $0.isDisabled, $0.isEmailVerified) = ("id-", false, false)
            }
            #expect(enabled.ids == ["id-ann", "id-dan", "id-eva"])
        }
    }

    @Test(arguments: [1, 2, 50])
    func `of many accounts a page follows an index, and reads no more than it may`(limit: Int) async throws {
        try await withPeople { homing async throws in
            let all = ["id-ann", "id-bob", "id-cem", "id-dan", "id-eva", "no-one", "no-two"]
            func page(_ query: AccountQuery) async throws -> FoundAccounts {
                try await homing.accounts.find(query, in: homing.shop, readingAtMost: 3)
            }
            let first = try await page(query(.newest, limit: limit))
            #expect(first.order == .id && first.total == nil && first.matching == nil)
            #expect(try await ids(query(.newest, limit: limit), homing, readingAtMost: 3) == all)
            #expect(try await ids(query(.address, limit: limit), homing, readingAtMost: 3) == Array(all.prefix(5)))
            var disabled = query(.id, limit: limit)
            disabled.isDisabled = true
            #expect(try await ids(disabled, homing, readingAtMost: 3) == ["id-bob"])
            var verified = query(.address, limit: limit)
            verified.isEmailVerified = true
            #expect(try await ids(verified, homing, readingAtMost: 3) == ["id-cem"])
            var last = query(.id, limit: limit)
            (last.beginning, last.isDisabled) = ("no-", false)
            #expect(try await ids(last, homing, readingAtMost: 3) == ["no-one", "no-two"])
        }
    }

    @Test(arguments: [3, AccountQuery.mostRead])
    func `who sees addresses masked finds nothing by them, and nothing is in their order`(most: Int) async throws {
        try await withPeople { homing async throws in
            var guess = query(.address)
            guess.readsAddresses = false
            let page = try await homing.accounts.find(guess, in: homing.shop, readingAtMost: most)
            #expect(page.order != .address)
            guess.beginning = "ev"
            #expect(try await ids(guess, homing, readingAtMost: most) == [])
            guess.after = "address:d"
            #expect(try await ids(guess, homing, readingAtMost: most) == [])
        }
    }

    @Test func `another project's accounts are in no list, and a made-up end of a page is refused`() async throws {
        try await withPeople { homing async throws in
            let other = try await homing.projects.create(
                id: "other", name: nil, apiKey: nil, authorizedDomains: [], linkDomains: [], language: nil)
            for order in AccountQuery.Order.allCases {
                let page = try await homing.accounts.find(query(order), in: other)
                #expect(page.accounts.isEmpty && page.total == 0 && page.next == nil)
            }
            var query = query(.newest)
            for place in ["", "x", "ids:1", "Address:a"] {
                query.after = place
                await #expect(throws: Refusal.self) {
                    try await homing.accounts.find(query, in: homing.shop)
                }
            }
            for place in ["newest:", "newest:x:y", "id:zzz"] {
                query.after = place
                let page = try await homing.accounts.find(query, in: homing.shop)
                #expect(page.accounts.count == 7, "the end of another list is the beginning of this one")
            }
        }
    }
}

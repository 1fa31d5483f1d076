// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct JSONFieldTests {
    private func object(_ text: String) throws -> JSON.Object {
        try #require(try JSON.parse(Array(text.utf8)).objectValue)
    }

    @Test func `a field is found in both spellings`() throws {
        #expect(try object(#"{"returnSecureToken":true}"#).field("returnSecureToken") == true)
        #expect(try object(#"{"return_secure_token":true}"#).field("returnSecureToken") == true)
        #expect(try object(#"{"ReturnSecureToken":true}"#).field("returnSecureToken") == nil)
        #expect(try object(#"{"email":"a@b.test"}"#).field("email") == "a@b.test")
    }

    @Test func `both spellings at once are refused`() throws {
        let object = try object(#"{"oobCode":"a","oob_code":"b"}"#)
        let fault = #expect(throws: JSONFault.self) { try object.field("oobCode") }
        #expect(fault?.reason == .bothSpellings(of: "oobCode"))
        #expect(fault?.description == "oobCode is given twice, in camelCase and in snake_case")
    }

    @Test(arguments: [
        ("return_secure_token", "returnSecureToken"), ("email", "email"), ("a_1b", "a1b"),
        ("i_o_s_bundle_id", "iOSBundleId"),
        ("_email", "_email"), ("email_", "email_"), ("a__b", "a__b"), ("a_B", "a_B"), ("", ""), ("_", "_"),
        ("é_a", "éA"),
    ])
    func `snake case folds between words only`(snake: String, camel: String) throws {
        #expect(try JSON.Object([(snake, 1)]).field(camel) == 1)
    }

    @Test func `of equal keys the later value takes the earlier position, also among thousands`() throws {
        for count in [3, 50_000] {
            let pairs = (0..<count).map { ("k_\($0)", JSON.int(Int64($0))) } + [("k_1", "again"), ("jose\u{301}", 1)]
            let object = JSON.Object(pairs + [("jos\u{E9}", 2)])
            #expect(object.members.count == count + 2)
            #expect(object.members[1].key == "k_1" && object.members[1].value == "again")
            #expect(try object.field("k2") == 2 && object["jos\u{E9}"] == 2)
        }
    }

    @Test(arguments: ["email_", "_email", "e_mail_", "EMAIL", "emai\u{131}"])
    func `no other spelling is the field`(key: String) throws {
        #expect(try JSON.Object([(key, 1)]).field("email") == nil)
    }

    @Test func `members are set, replaced at their position and removed`() {
        var object: JSON.Object = JSON.Object([("a", 1), ("b", 2)])
        object["c"] = 3
        object["a"] = "x"
        object["b"] = nil
        object["absent"] = nil
        #expect(object.members.map(\.key) == ["a", "c"])
        #expect(object["a"] == "x")
        #expect(JSON.Object([("a", 1), ("a", 2)]).members.count == 1)
    }

    @Test func `objects with other keys, values or order differ`() {
        #expect(JSON.Object([("a", 1)]) != JSON.Object([("b", 1)]))
        #expect(JSON.Object([("a", 1)]) != JSON.Object([("a", 2)]))
        #expect(JSON.Object([("a", 1)]) != JSON.Object([("a", 1), ("b", 1)]))
        #expect(JSON.Object([("a", 1), ("b", 1)]) != JSON.Object([("b", 1), ("a", 1)]))
        #expect(JSON.int(1) != JSON.double(1))
    }
}

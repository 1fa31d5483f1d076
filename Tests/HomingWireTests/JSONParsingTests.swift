// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire
import Testing

@Suite struct JSONParsingTests {
    private func parse(_ text: String) throws -> JSON {
        try JSON.parse(Array(text.utf8))
    }

    private func fault(_ bytes: some Collection<UInt8>) -> JSONFault? {
        do throws(JSONFault) {
            _ = try JSON.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    private func reason(_ text: String) -> JSONFault.Reason? {
        fault(Array(text.utf8))?.reason
    }

    @Test func `a request is read with its members in order`() throws {
        let json = try parse(#" { "requestType" : "PASSWORD_RESET", "n":[1,-2,3.5,true,false,null,{}] } "#)
        let object = try #require(json.objectValue)
        #expect(object.members.map(\.key) == ["requestType", "n"])
        #expect(object["requestType"] == "PASSWORD_RESET")
        #expect(object["n"] == [1, -2, 3.5, true, false, .null, [:]])
        #expect(object["absent"] == nil)
    }

    @Test func `bytes that do not lie in one piece are read too`() throws {
        #expect(try JSON.parse("[1,2]".utf8.lazy.map { $0 }) == [1, 2])
        #expect(try JSON.parse(Array("x[1,2]".utf8).dropFirst()) == [1, 2])
    }

    @Test func `a key that comes twice is refused where it comes again`() {
        #expect(fault(#"{"a":1,"a":2}"#.utf8) == JSONFault(reason: .duplicateKey, offset: 7))
        #expect(reason(#"{"a":1,"\u0061":2}"#) == .duplicateKey)
        #expect(reason(#"{"email":"victim@v.test","x":[],"email":"mallory@m.test"}"#) == .duplicateKey)
    }

    @Test func `the same key in two objects is no duplicate`() throws {
        #expect(try parse(#"{"a":{"a":1},"b":{"a":2}}"#) == ["a": ["a": 1], "b": ["a": 2]])
    }

    @Test func `canonically equivalent keys are two keys`() throws {
        let object = try #require(try parse("{\"jos\u{E9}\":1,\"jose\u{301}\":2}").objectValue)
        #expect(object["jos\u{E9}"] == 1)
        #expect(object["jose\u{301}"] == 2)
        #expect(JSON.string("jos\u{E9}") != JSON.string("jose\u{301}"))
    }

    @Test func `a duplicate among a thousand keys is found`() throws {
        let keys = (0..<999).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(try parse("{\(keys),\"last\":0}").objectValue?.members.count == 1_000)
        #expect(reason("{\(keys),\"k17\":1}") == .duplicateKey)
        #expect(reason("{\(keys),\"k998\":1}") == .duplicateKey)
    }

    @Test func `an object has a thousand members and a text ten thousand values at most`() throws {
        let keys = (0..<1_000).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(reason("{\(keys),\"one more\":0}") == .tooManyMembers)
        func row(_ count: Int) -> String { "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]" }
        #expect(try parse(row(9_999)).arrayValue?.count == 9_999)
        #expect(reason(row(10_000)) == .tooManyValues(limit: 10_000))
        let many = "[" + Array(repeating: "{\(keys)}", count: 11).joined(separator: ",") + "]"
        #expect(reason(many) == .tooManyValues(limit: 10_000))
    }

    @Test func `a reader of many accounts takes more values, and says how many`() throws {
        let bytes = Array(("[" + Array(repeating: "0", count: 12_000).joined(separator: ",") + "]").utf8)
        #expect(try JSON.parse(bytes, mostValues: 12_001).arrayValue?.count == 12_000)
        let fault = #expect(throws: JSONFault.self) { try JSON.parse(bytes, mostValues: 12_000) }
        #expect(fault?.reason == .tooManyValues(limit: 12_000))
        #expect(fault?.description.hasPrefix("more than 12000 values at byte") == true)
    }

    @Test func `sixty-four containers are the deepest`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try parse(nested(64))
        #expect(fault(nested(65).utf8) == JSONFault(reason: .tooDeep, offset: 64))
        let siblings = "[" + Array(repeating: nested(63), count: 100).joined(separator: ",") + "]"
        _ = try parse(siblings)
    }

    @Test func `a hundred thousand open brackets are refused and end nothing`() {
        #expect(reason(String(repeating: "[", count: 100_000)) == .tooDeep)
        #expect(reason(String(repeating: "{\"a\":", count: 100_000)) == .tooDeep)
    }

    @Test(arguments: ["\"a\u{0}b\"", #""a\u0000b""#, #"{"a\u0000":1}"#, "{\"\u{0}\":1}"])
    func `NUL is refused in every spelling`(text: String) {
        #expect(reason(text) == .nul)
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\u0041""#, #""\ud800\ud800""#, #""\udc00\ud800""#,
        #""\uD83D\n""#,
    ])
    func `half a surrogate pair is refused`(text: String) {
        #expect(reason(text) == .loneSurrogate)
    }

    @Test func `escapes are decoded`() throws {
        #expect(
            try parse(#""\"\\\/\b\f\n\r\t\u00e9\u20AC\ud83d\ude00""#) == "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{20AC}\u{1F600}")
        #expect(try parse(#""plain\u0041plain""#) == "plainAplain")
    }

    @Test(arguments: [#""\x41""#, #""\u00g0""#, #""\u 041""#, #""\U0041""#, #""\'""#])
    func `an unknown escape is refused`(text: String) {
        #expect(reason(text) == .invalidEscape)
    }

    @Test func `a byte order mark is refused`() {
        #expect(fault([0xEF, 0xBB, 0xBF] + Array("{}".utf8))?.reason == .byteOrderMark)
        #expect(fault([0xFE, 0xFF, 0x00, 0x7B])?.reason == .unexpectedByte)
    }

    @Test(
        arguments: [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82, 0x41],
        ] as [[UInt8]])
    func `bytes that are not UTF-8 are refused`(sequence: [UInt8]) {
        #expect(fault([0x22] + sequence + [0x22])?.reason == .invalidUTF8)
        #expect(fault([0x22] + sequence)?.reason == .invalidUTF8)
        #expect(fault([0x22, 0x5C, 0x6E] + sequence + [0x22])?.reason == .invalidUTF8)
    }

    @Test(arguments: [
        "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{D7FF}", "\u{E000}", "\u{10000}", "\u{10FFFF}",
    ])
    func `the first and last character of every length are read`(character: String) throws {
        #expect(try parse("\"\(character)\"") == .string(character))
    }

    @Test(arguments: [
        "[1,]", "{\"a\":1,}", "[,1]", "{,}", "{a:1}", "{'a':1}", "[1 2]", "{\"a\" 1}", "tru", "nulL", "True", "NaN",
        "Infinity", "+1", ".5", "/*x*/1", "[1}", "{\"a\":1]", "{1:2}", "undefined", "\u{A0}1", "{\"a\":}",
    ])
    func `a text that other parsers forgive is refused`(text: String) {
        #expect(reason(text) == .unexpectedByte || reason(text) == .unexpectedEnd)
    }

    @Test(arguments: [
        "", " ", "{", "[", "\"", "\"\\", "\"\\u00", "{\"a\"", "{\"a\":", "[1", "[1,", "-", "1.", "1e", "1e+", "t",
    ])
    func `a text that ends too early is refused`(text: String) {
        #expect(reason(text) == .unexpectedEnd)
    }

    @Test(arguments: ["{}{}", "1 2", "null x", "\"a\"b", "[]]", "{}\u{0}", "1,"])
    func `garbage behind the value is refused`(text: String) {
        #expect(reason(text) == .contentAfterValue)
    }

    @Test(arguments: ["\"a\nb\"", "\"a\tb\"", "\"a\r\nb\"", "\"\u{1F}\""])
    func `a raw control character in a string is refused`(text: String) {
        #expect(reason(text) == .controlCharacter)
    }

    @Test(arguments: ["01", "-01", "00", "-a", "1.a", "1.e5", "1ea", "1e+a", "-.5"])
    func `a number against the grammar is refused`(text: String) {
        #expect(reason(text) == .invalidNumber)
    }

    @Test(arguments: [
        ("0", JSON.int(0)), ("-0", .int(0)), ("-1", .int(-1)), ("9223372036854775807", .int(.max)),
        ("-9223372036854775808", .int(.min)), ("9223372036854775808", .double(0x1p63)),
        ("-9223372036854775809", .double(-0x1p63)), ("1.0", .double(1)), ("1e2", .double(100)),
        ("1E+2", .double(100)), ("25e-1", .double(2.5)), ("-0.0", .double(-0.0)),
        ("5e-324", .double(.leastNonzeroMagnitude)),
        ("1e-400", .double(0)), ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
    ])
    func `a number keeps its value`(text: String, value: JSON) throws {
        #expect(try parse(text) == value)
    }

    @Test func `a number that no double holds is refused`() {
        #expect(reason("1e400") == .numberOutOfRange)
        #expect(reason("-1e400") == .numberOutOfRange)
        #expect(reason(String(repeating: "9", count: 100_000)) == .numberOutOfRange)
    }

    @Test func `only whole numbers are integers`() throws {
        #expect(try parse("1.0").integerValue == 1)
        #expect(try parse("1e2").integerValue == 100)
        #expect(try parse("1.5").integerValue == nil)
        #expect(try parse("1e300").integerValue == nil)
        #expect(try parse("\"1\"").integerValue == nil)
    }

    @Test func `an array where a string belongs is no string`() throws {
        let object = try #require(try parse(#"{"email":["victim@v.test","mallory@m.test"]}"#).objectValue)
        #expect(try object.field("email")?.stringValue == nil)
        #expect(try object.field("email")?.arrayValue?.count == 2)
    }

    @Test func `a string of a mebibyte comes through whole`() throws {
        let long = String(repeating: "aé€😀", count: 110_000)
        #expect(long.utf8.count > 1_048_576)
        #expect(try parse("\"\(long)\"") == .string(long))
        #expect(try parse("\"\\n\(long)\"") == .string("\n\(long)"))
    }

    @Test func `a fault names its position, and quotes nothing`() {
        let fault = fault(Array(#"{"password":"hunter2","password":1}"#.utf8))
        #expect(fault?.description == "a key that is already in the same object at byte 22")
    }
}

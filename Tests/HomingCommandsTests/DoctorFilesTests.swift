// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingCurl
import HomingDoctor
import Testing

@Suite struct `The doctor on association files` {
    static let apple =
        #"{"applinks":{"apps":[],"details":[{"appID":"ABCDE12345.com.a","appIDs":["ABCDE12345.com.a"],"paths":["*"]},"#
        + #"{"appIDs":["ABCDE12345.com.b"],"components":[{"/":"/x"}]}]},"webcredentials":{"apps":["ABCDE12345.com.a"]}}"#
    static let android =
        #"[{"relation":["delegate_permission/common.handle_all_urls"],"target":{"namespace":"android_app","#
        + #""package_name":"com.a","sha256_cert_fingerprints":["AA:BB","CC:DD"]}}]"#

    func codes(_ answer: WebAnswer, kind: AssociationFileCheck.Kind = .apple, expected: String?) -> [String] {
        AssociationFileCheck(kind: kind, subject: "h", path: "/p", expected: expected).findings(answer).map(\.code)
    }

    func served(
        _ body: String, status: Int = 200, type: String? = "application/json", location: String? = nil
    ) -> WebAnswer {
        .answered(.init(status: status, contentType: type, location: location, body: Array(body.utf8)))
    }

    @Test func `the same bytes are right`() {
        #expect(codes(served(Self.apple), expected: Self.apple) == ["APPLE_FILE_OK"])
        #expect(codes(served(Self.android), kind: .android, expected: Self.android) == ["ANDROID_FILE_OK"])
        let type = "Application/JSON; charset=utf-8"
        #expect(codes(served(Self.apple, type: type), expected: Self.apple) == ["APPLE_FILE_OK"])
    }

    @Test func `a redirect, a status, a type and no answer are each named`() {
        let moved = served("", status: 301, location: "https://www.h/p")
        #expect(codes(moved, expected: Self.apple) == ["APPLE_FILE_REDIRECTED"])
        #expect(codes(served("", status: 404), expected: Self.apple) == ["APPLE_FILE_STATUS"])
        #expect(codes(served(Self.apple, type: nil), expected: Self.apple) == ["APPLE_FILE_CONTENT_TYPE"])
        #expect(
            codes(served(Self.apple, type: "application/jsonp"), expected: Self.apple) == ["APPLE_FILE_CONTENT_TYPE"])
        #expect(
            codes(.unreachable(reason: "x"), kind: .android, expected: Self.android) == ["ANDROID_FILE_UNREACHABLE"])
    }

    @Test func `128 KB are the end`() {
        let long =
            Self.apple + String(repeating: " ", count: AssociationFileCheck.sizeLimit + 1 - Self.apple.utf8.count)
        #expect(codes(served(long), expected: long) == ["APPLE_FILE_TOO_LARGE"])
        #expect(codes(served(String(long.dropLast())), expected: String(long.dropLast())) == ["APPLE_FILE_OK"])
    }

    @Test func `a file that is no JSON is reported as such`() {
        for body in ["", "<html>", "[]", #"{"a":1,"a":2}"#] {
            #expect(codes(served(body), expected: Self.apple) == ["APPLE_FILE_NOT_JSON"])
        }
        #expect(codes(served("{}"), kind: .android, expected: Self.android) == ["ANDROID_FILE_NOT_JSON"])
    }

    @Test func `apps that are missing or too many are named, with the team id that was mistaken`() throws {
        let other = Self.apple.replacing("ABCDE12345.com.b", with: "ZZZZZ99999.com.b")
        let check = AssociationFileCheck(kind: .apple, subject: "h", path: "/p", expected: Self.apple)
        let found = check.findings(served(other))
        #expect(found.map(\.code) == ["APPLE_APP_MISSING", "APPLE_APP_EXTRA"])
        #expect(found.map(\.level) == [.problem, .warning])
        let missing = try #require(found.first)
        #expect(missing.seen.contains("ABCDE12345.com.b") && missing.seen.contains("ZZZZZ99999"))
    }

    @Test func `the same apps with other paths, and without passwords`() {
        let paths = Self.apple.replacing("/x", with: "/y")
        #expect(codes(served(paths), expected: Self.apple) == ["APPLE_FILE_RULES_DIFFER"])
        let bare = Self.apple.replacing("webcredentials", with: "activitycontinuation")
        #expect(codes(served(bare), expected: Self.apple) == ["APPLE_CREDENTIALS_MISSING"])
    }

    @Test func `packages and fingerprints are compared, whatever their case`() {
        func codes(_ change: (String) -> String) -> [String] {
            self.codes(served(change(Self.android)), kind: .android, expected: Self.android)
        }
        #expect(codes { $0.replacing("AA:BB", with: "aa:bb") } == ["ANDROID_FILE_RULES_DIFFER"])
        #expect(codes { $0.replacing(#","CC:DD""#, with: "") } == ["ANDROID_FINGERPRINT_MISSING"])
        #expect(
            codes { $0.replacing("CC:DD", with: "EE:FF") } == [
                "ANDROID_FINGERPRINT_MISSING", "ANDROID_FINGERPRINT_EXTRA",
            ])
        #expect(codes { $0.replacing("com.a", with: "com.c") } == ["ANDROID_APP_MISSING", "ANDROID_APP_EXTRA"])
        #expect(codes { $0.replacing("handle_all_urls", with: "get_login_creds") } == ["ANDROID_APP_MISSING"])
    }

    @Test func `a host without apps answers 404, and who else answers is named`() {
        #expect(codes(served("", status: 404), expected: nil) == ["APPLE_FILE_ABSENT"])
        #expect(codes(served(Self.apple), expected: nil) == ["APPLE_FILE_UNEXPECTED"])
        #expect(codes(served("", status: 301), kind: .android, expected: nil) == ["ANDROID_FILE_UNEXPECTED"])
    }

    @Test func `all three paths are looked at`() {
        let paths = AssociationFileCheck.all(for: ExpectedFiles(apple: "{}", android: nil), subject: "h")
        #expect(
            paths.map(\.path) == [
                "/.well-known/apple-app-site-association", "/apple-app-site-association",
                "/.well-known/assetlinks.json",
            ])
        #expect(paths.map(\.expected) == ["{}", "{}", nil])
    }
}

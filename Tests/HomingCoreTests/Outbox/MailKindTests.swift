// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingProjects
import Testing

@Suite struct MailKindTests {
    private func manual(_ name: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 1...4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test func `the manual names every kind of mail, and those that a project can word`() throws {
        let (observing, templates) = (try manual("observing.md"), try manual("templates.md"))
        for kind in MailKind.allCases { #expect(observing.contains("`\(kind.rawValue)`"), "\(kind)") }
        for kind in MailKind.withTemplates { #expect(templates.contains("`\(kind.rawValue)`"), "\(kind)") }
    }

    @Test func `a mail can name what it tells, and no more`() {
        func names(_ kind: MailKind) -> [String] { kind.placeholders(in: .text).map(\.rawValue) }
        let always = ["LINK", "EMAIL", "APP_NAME", "DISPLAY_NAME", "TIME", "CLOCK"]
        let bound = ["CODE", "NUMBER", "DEVICE", "NETWORK"]
        #expect(names(.passwordReset) == always + ["LIFETIME"] + bound)
        #expect(names(.verifyAndChangeEmail) == always + ["NEW_EMAIL", "LIFETIME"] + bound)
        #expect(names(.recoverEmail) == always + ["NEW_EMAIL", "LIFETIME", "DEVICE"])
        #expect(names(.emailChangeNotice) == always + ["NEW_EMAIL", "DEVICE"])
        #expect(names(.passwordChanged) == always + ["DEVICE"])
        #expect(names(.wrongNumbers) == always + ["DEVICE", "REQUEST"])
        #expect(names(.unknownAddress) == always)
        for kind in MailKind.allCases where !MailKind.withTemplates.contains(kind) { #expect(names(kind).isEmpty) }
        #expect(Set(MailKind.allCases.map(\.title)).count == MailKind.allCases.count)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands
import HomingCore
import HomingProjects
import HomingStore
import Testing

@Suite struct TemplateFilesTests {
    private func version(_ values: [MailTemplate.Field: String]) -> TemplateVersion {
        var template = MailTemplate()
        for (field, value) in values { template[field] = value }
        return TemplateVersion(
            kind: .signIn, language: "pt-BR", number: 1, author: "command", createdAt: Moment(milliseconds: 0),
            template: template)
    }

    @Test(arguments: ["../planted", "/tmp/planted", "signIn/../../planted", "signIn//planted", ".profile", ""])
    func `a server chooses no place outside of the folder that was named`(_ name: String) {
        let folder = NSTemporaryDirectory() + "homing-templates-\(UInt64.random(in: 0...UInt64.max))/below"
        #expect(throws: (any Error).self) { try InputFiles.write([name: "text"], to: folder) }
        #expect(!FileManager.default.fileExists(atPath: (folder as NSString).deletingLastPathComponent))
    }

    @Test func `what is written as files is read from them again`() throws {
        let hostile = "a: \"b\" # 'c' \\ %APP_NAME% é\u{301} 🏠 - [x] {y} | > true 007 ~ null"
        let version = version([
            .senderName: "true", .senderLocalPart: "007", .replyTo: "a@b.example", .subject: hostile,
            .text: " line\r\n\n%LINK%\n ", .html: "<a href=\"%LINK%\">x</a>\n",
        ])
        let files = try TemplateFiles.files([version])
        #expect(
            files.keys.sorted().map { $0.split(separator: "/").last } == ["body.html", "body.txt", "template.yaml"])
        let changes = try TemplateFiles.changes(files)
        #expect(changes.map(\.template) == [version.template] && changes.map(\.language) == ["pt-BR"])
    }

    @Test(arguments: [
        "a.txt", "PASSWORD_RESET/body.txt", "PASSWORD-RESET/de/body.txt", "PASSWORD_RESET/de/body.text",
        "PASSWORD_RESET/de/x/body.txt", "PASSWORD_RESET/d/body.txt", "TEST/de/body.txt", "/PASSWORD_RESET/de/body.txt",
    ])
    func `a file that is none of a template's is named`(path: String) {
        #expect(throws: Refusal.self) { try TemplateFiles.changes([path: "%LINK%"]) }
    }

    @Test(arguments: [
        "subjct: a", "- a", "just words", "subject: [a]", "subject: {a: b}", "subject: \"a", "\"", "body: a",
    ])
    func `a header of other lines is refused`(yaml: String) {
        #expect(throws: Refusal.self) { try TemplateFiles.changes(["PASSWORD_RESET/de/template.yaml": yaml]) }
    }
}

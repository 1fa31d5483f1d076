// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingDoctor
import HomingOperations
import HomingStore

/// `homing mail probe`: the letter that arrived, from its source.
struct MailProbe: DatabaseCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: "Judge a letter that arrived, by its source.",
        discussion: """
            Says what became of it on its way: links that were rewritten and by whom, what was added, DKIM, SPF and \
            DMARC as the receiver wrote them, spam marks, charset, TLS, delays. An email of this server is known by its \
            headers and compared with what was sent. At most five mebibytes are taken, and nothing is kept. Exit 1 when \
            there is a problem.

            EXAMPLE
              homing mail probe letter.eml
              homing mail probe < letter.eml
            """)

    @Argument(help: "The letter's source with all headers; without it standard input is read.") var file: String?
    @OptionGroup var format: OutputOptions

    var inputSource: InputSource { file.map { .file($0) } ?? .startOfStandardInput(MIMEPart.longest) }

    func run(in homing: Homing, _ output: inout CommandOutput) async throws {
        let source = try await output.input?.whole(atMost: MIMEPart.longest) ?? []
        let report = DoctorReport(findings: try await LetterProbe(homing).findings(of: source))
        output.answer(format, json: report.json, styled: report.lines)
        guard !report.hasProblems else { throw Refusal.mailNotTaken(report.request) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingStore
import HomingWire

/// `homing link qr`: it needs no server and no database.
struct LinkQR: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Write the QR code of a link into a file.",
        discussion: """
            SVG is for print, in any size; PNG has ten pixels for every module.

            EXAMPLE
              homing link qr https://links.shop.example/spring --svg spring.svg
            """)

    @Argument(help: "The link.") var url: String
    @Option(help: "The file for an SVG.") var svg: String?
    @Option(help: "The file for a PNG.") var png: String?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if svg == nil, png == nil { throw ValidationError("which file? --svg FILE, --png FILE, or both") }
    }

    func answer() throws -> CommandAnswer {
        guard (try? WebURL(parsing: url, takesHTTP: true)) != nil else {
            throw Refusal.invalidArgument("\(url) is no web link: https://links.shop.example/spring")
        }
        let code = try QRCode(url)
        if let svg { try ReplacedFile.write(Array(code.svg.utf8), to: svg) }
        if let png { try ReplacedFile.write(code.png, to: png) }
        var output = CommandOutput()
        output.answer(
            format,
            json: .object([
                ("url", .string(url)), ("svg", svg.map { .string($0) }), ("png", png.map { .string($0) }),
            ]), lines: [svg, png].compactMap(\.self).map { "\($0) has the QR code of \(url)" })
        return CommandAnswer(status: 0, output: output.text, errors: "")
    }
}

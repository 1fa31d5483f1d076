// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation
import HomingCore
import HomingLinkRules
import HomingOperations
import HomingProjects
import HomingStore
import HomingWire

/// `homing link qr`: it needs no server and no database.
struct LinkQR: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Write the QR code of a link into a file.",
        discussion: """
            SVG is for print, in any size; PNG has ten pixels for every module, or --size pixels a side. A logo stands in \
            the middle of a code that is finer and reads with 30 % of it gone; a PNG can show none that is an SVG.

            EXAMPLE
              homing link qr https://links.shop.example/spring --svg spring.svg
              homing link qr https://links.shop.example/spring --png spring.png --size 1200
            """)

    @Argument(help: "The link.") var url: String
    @Option(help: "The file for an SVG.") var svg: String?
    @Option(help: "The file for a PNG.") var png: String?
    @Option(help: "The pixels of a side, 64 to 2048.") var size: Int?
    @Option(help: "The file of a logo, a PNG or an SVG of at most 64 KiB.") var logo: String?
    @OptionGroup var format: OutputOptions

    func validate() throws {
        if svg == nil, png == nil { throw ValidationError("which file? --svg FILE, --png FILE, or both") }
    }

    func answer() throws -> CommandAnswer {
        guard (try? WebURL(parsing: url, takesHTTP: true)) != nil else {
            throw Refusal.invalidArgument("\(url) is no web link: https://links.shop.example/spring")
        }
        let picture = try logo.map { path in
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw Refusal.notFound("\(path) cannot be read: give the path of a file")
            }
            return try Logo(checking: Array(bytes)).inQRCode
        }
        let code = try QRCode(url, size: size, logo: picture)
        if let svg { try ReplacedFile.write(Array(code.svg.utf8), to: svg) }
        if let png { try ReplacedFile.write(code.png, to: png) }
        var output = CommandOutput()
        if let png, code.isPNGWithoutLogo {
            output.note("\(png) has no logo: only a PNG without interlacing can be drawn into one")
        }
        output.answer(
            format,
            json: .object([
                ("url", .string(url)), ("svg", svg.map { .string($0) }), ("png", png.map { .string($0) }),
            ]), lines: [svg, png].compactMap(\.self).map { "\($0) has the QR code of \(url)" })
        return output.answer()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibQREncode
import CLibZ
package import HomingStore

/// A QR code (ISO/IEC 18004) of a link, as a picture for paper and for screens.
///
/// Up to 15 % of it may be dirty or torn (level M). Around it are the four empty modules that readers ask for.
package struct QRCode: Sendable {
    /// The modules of a side, with the empty ones around.
    package let side: Int
    /// Row by row; true is dark.
    private let modules: [Bool]

    private static let margin = 4
    /// The pixels of a module's side in the PNG.
    private static let scale = 10

    /// - Throws: ``Refusal/invalidArgument(_:)`` for a text that no QR code can hold.
    package init(_ text: String) throws(Refusal) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M) else {
            throw .invalidArgument(
                "a QR code holds 1 to 2331 bytes, and this is \(bytes.count): make a short link of it")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        side = width + 2 * Self.margin
        var modules = [Bool](repeating: false, count: side * side)
        for row in 0..<width {
            for column in 0..<width where code.pointee.data[row * width + column] & 1 == 1 {
                modules[(row + Self.margin) * side + column + Self.margin] = true
            }
        }
        self.modules = modules
    }

    private func isDark(_ row: Int, _ column: Int) -> Bool { modules[row * side + column] }

    /// The code as an SVG document: one path, of a stroke for every dark run of a row, on white.
    package var svg: String {
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard isDark(row, column) else {
                    column += 1
                    continue
                }
                let start = column
                while column < side, isDark(row, column) { column += 1 }
                path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path d="\(path)"/></svg>

            """
    }

    /// The code as a PNG (RFC 2083): one bit a pixel, ten pixels a module.
    package var png: [UInt8] {
        let pixels = side * Self.scale
        let stride = (pixels + 7) / 8
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels * (stride + 1))
        for row in 0..<side {
            // A row begins with its filter, which is none. A bit that is set is white.
            var line = [UInt8](repeating: 0, count: stride + 1)
            for pixel in 0..<pixels where !isDark(row, pixel / Self.scale) {
                line[1 + pixel / 8] |= 0x80 >> (pixel % 8)
            }
            for _ in 0..<Self.scale { rows += line }
        }
        let size = UInt32(pixels)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            // Width, height, one bit of grey, deflated, without interlacing.
            + Self.chunk("IHDR", Self.bigEndian(size) + Self.bigEndian(size) + [1, 0, 0, 0, 0])
            + Self.chunk("IDAT", Self.deflated(rows)) + Self.chunk("IEND", [])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(name.utf8) + content
        let check = crc32(0, named, UInt32(named.count))
        return bigEndian(UInt32(content.count)) + named + bigEndian(UInt32(truncatingIfNeeded: check))
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, filled in
            // The buffer is as large as zlib has asked for, so nothing is left that could fail.
            compress2(buffer.baseAddress, &length, bytes, UInt(bytes.count), 9)
            filled = Int(length)
        }
    }

    private static func bigEndian(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

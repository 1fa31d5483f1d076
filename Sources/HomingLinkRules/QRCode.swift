// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibQREncode
import CLibZ
import Foundation
package import HomingStore

/// A QR code (ISO/IEC 18004) of a link, as a picture for paper and for screens.
///
/// Up to 15 % of it may be dirty or torn (level M). With a logo in its middle it has level H, which reads with 30 % gone,
/// and the logo takes about 6 % of it. Around the code are the four empty modules that readers ask for.
package struct QRCode: Sendable {
    /// A picture for the middle of a code.
    package struct Logo: Sendable {
        let bytes: [UInt8]
        let mediaType: String

        /// - Parameter mediaType: `image/png` or `image/svg+xml`.
        package init(_ bytes: [UInt8], mediaType: String) {
            self.bytes = bytes
            self.mediaType = mediaType
        }
    }

    /// The modules of a side, with the empty ones around.
    package let side: Int
    /// Row by row; true is dark.
    private let modules: [Bool]
    /// The pixels of a side, where somebody has said.
    private let size: Int?
    private let logo: Logo?
    /// The logo as the PNG draws it; nil for a picture that cannot be drawn here, such as an SVG.
    private let picture: PNGPicture?

    private static let margin = 4
    /// The pixels of a module's side in a PNG whose size nobody has said.
    private static let scale = 10
    /// The pixels of a side that may be asked for.
    package static let sizes = 64...2_048

    /// - Parameters:
    ///   - size: the pixels of a side, ``sizes``. Without one an SVG has no size, and a PNG ten pixels a module.
    ///   - logo: a picture for the middle.
    /// - Throws: ``Refusal/invalidArgument(_:)`` for a text that no QR code can hold, and for a size that is out of range
    ///   or has no pixel for each module.
    package init(_ text: String, size: Int? = nil, logo: Logo? = nil) throws(Refusal) {
        let bytes = Array(text.utf8)
        let level = logo == nil ? QR_ECLEVEL_M : QR_ECLEVEL_H
        guard !bytes.isEmpty, let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, level) else {
            throw .invalidArgument(
                "a QR code\(logo == nil ? "" : " with a logo") holds 1 to \(logo == nil ? 2331 : 1273) bytes, and this "
                    + "is \(bytes.count): make a short link of it")
        }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        side = width + 2 * Self.margin
        if let size, !Self.sizes.contains(size) || size < side {
            throw .invalidArgument(
                "a side has \(max(side, Self.sizes.lowerBound)) to \(Self.sizes.upperBound) pixels, and \(size) is not")
        }
        var modules = [Bool](repeating: false, count: side * side)
        for row in 0..<width {
            for column in 0..<width where code.pointee.data[row * width + column] & 1 == 1 {
                modules[(row + Self.margin) * side + column + Self.margin] = true
            }
        }
        self.modules = modules
        self.size = size
        self.logo = logo
        picture = logo.flatMap { PNGPicture($0.bytes) }
    }

    /// Whether the PNG has no logo although the code was given one: its picture is none that can be drawn there.
    package var isPNGWithoutLogo: Bool { logo != nil && picture == nil }

    /// The modules of the middle that stay empty for a logo: a fifth of the side, and an odd number as the side is.
    private var hole: Range<Int> {
        let width = (side - 2 * Self.margin) * 22 / 100 | 1
        return (side - width) / 2..<(side + width) / 2
    }

    /// - Parameter isWhole: whether nothing is left out for a logo.
    private func isDark(_ row: Int, _ column: Int, isWhole: Bool) -> Bool {
        modules[row * side + column] && (isWhole || !hole.contains(row) || !hole.contains(column))
    }

    /// The code as an SVG document: one path, of a stroke for every dark run of a row, on white.
    package var svg: String {
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                guard isDark(row, column, isWhole: logo == nil) else {
                    column += 1
                    continue
                }
                let start = column
                while column < side, isDark(row, column, isWhole: logo == nil) { column += 1 }
                path += "M\(start) \(row)h\(column - start)v1h-\(column - start)z"
            }
        }
        let pixels = size.map { " width=\"\($0)\" height=\"\($0)\"" } ?? ""
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)"\(pixels) shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path d="\(path)"/>\(image)</svg>

            """
    }

    /// The logo, half a module from the dark ones.
    private var image: String {
        guard let logo else { return "" }
        let data = "data:\(logo.mediaType);base64,\(Data(logo.bytes).base64EncodedString())"
        return """
            <image x="\(hole.lowerBound).5" y="\(hole.lowerBound).5" width="\(hole.count - 1)" \
            height="\(hole.count - 1)" href="\(data)"/>
            """
    }

    // MARK: PNG

    /// The code as a PNG (RFC 2083): one bit a pixel, or three bytes where it has a logo.
    package var png: [UInt8] {
        let scale = size.map { $0 / side } ?? Self.scale
        let pixels = size ?? side * scale
        // What is left over of the pixels is white, around the code.
        let edge = (pixels - side * scale) / 2
        func module(_ pixel: Int) -> Int? {
            let module = (pixel - edge) / scale
            return pixel >= edge && module < side ? module : nil
        }
        let depth = picture == nil ? 1 : 24
        var white = [UInt8](repeating: 0xFF, count: 1 + (pixels * depth + 7) / 8)
        // A row begins with its filter, which is none.
        white[0] = 0
        var rows: [UInt8] = []
        rows.reserveCapacity(pixels * white.count)
        for y in 0..<pixels {
            var line = white
            if let row = module(y) {
                for x in 0..<pixels {
                    guard let column = module(x), isDark(row, column, isWhole: picture == nil) else { continue }
                    if depth == 1 {
                        line[1 + x / 8] &= ~(0x80 >> UInt8(x % 8))
                    } else {
                        for byte in 0..<3 { line[1 + 3 * x + byte] = 0 }
                    }
                }
            }
            rows += line
        }
        if let picture {
            let box = (hole.count - 1) * scale
            let corner = edge + hole.lowerBound * scale + scale / 2
            for (place, color) in picture.drawn(into: box) {
                let start = (corner + place.y) * white.count + 1 + 3 * (corner + place.x)
                for byte in 0..<3 { rows[start + byte] = color[byte] }
            }
        }
        let length = UInt32(pixels)
        return PNGPicture.signature
            // Width, height, bits of a sample, grey or colours, deflated, without interlacing.
            + Self.chunk(
                "IHDR", Self.bigEndian(length) + Self.bigEndian(length) + (depth == 1 ? [1, 0] : [8, 2]) + [0, 0, 0])
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

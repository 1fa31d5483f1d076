// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
package import HomingLinkRules
package import HomingStore
import HomingTexts
import HomingWire

/// A project's logo: a picture that was checked byte by byte, because it is served from the host on which people type
/// passwords.
package struct Logo: Sendable, Equatable {
    package enum Format: String, Sendable {
        case png = "image/png"
        case svg = "image/svg+xml"
    }

    /// In bytes.
    package static let largest = 64 << 10
    /// In pixels, so that a small file does not unpack into a wall.
    private static let mostPixels = 4_000_000

    package let bytes: [UInt8]
    package let format: Format
    /// In pixels; nil for SVG, which has any size.
    package let size: Size?
    /// A name for these very bytes, for caches.
    package let digest: String

    package struct Size: Sendable, Equatable {
        package let width: Int
        package let height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The picture for the middle of a QR code.
    package var inQRCode: QRCode.Logo { QRCode.Logo(bytes, mediaType: format.rawValue) }

    /// - Throws: ``Refusal/invalidSetting(_:)`` that says what is wrong with the file.
    package init(checking bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.largest else {
            throw .invalidSetting("the logo has \(bytes.count) bytes; at most \(Self.largest) are taken")
        }
        self.bytes = bytes
        digest = Hexadecimal.encode(SHA256.hash(data: bytes).prefix(8))
        if bytes.starts(with: Self.signature) {
            format = .png
            size = try Self.size(ofPNG: bytes)
            return
        }
        guard let text = String(validating: bytes, as: UTF8.self), ASCII.contains(text, "<svg") else {
            throw .invalidSetting("the logo is no picture that is taken: give a PNG, or an SVG in UTF-8")
        }
        do {
            try PictureMarkup.check(text)
        } catch {
            throw .invalidSetting(
                "the logo is not taken (\(error.reason.rawValue), line \(error.line)): \(error.sentence)")
        }
        format = .svg
        size = nil
    }

    // MARK: PNG

    /// The first eight bytes (PNG, third edition, section 5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Walks over the chunks: each with its checksum, IHDR first, an IDAT, IEND last and nothing behind it.
    private static func size(ofPNG bytes: [UInt8]) throws(Refusal) -> Size {
        let broken = Refusal.invalidSetting("the logo is a PNG that is cut off or damaged: export it again")
        func number(at index: Int) -> Int { bytes[index..<(index + 4)].reduce(0) { $0 << 8 | Int($1) } }
        var size: Size?
        var hasImage = false
        var index = signature.count
        while true {
            guard index + 12 <= bytes.count else { throw broken }
            let length = number(at: index)
            let end = index + 12 + length
            guard length <= largest, end <= bytes.count,
                number(at: end - 4) == Int(checksum(bytes[(index + 4)..<(end - 4)]))
            else { throw broken }
            switch String(decoding: bytes[(index + 4)..<(index + 8)], as: UTF8.self) {
            case "IHDR":
                guard size == nil, index == signature.count, length == 13 else { throw broken }
                size = Size(width: number(at: index + 8), height: number(at: index + 12))
            case "IDAT": hasImage = true
            case "IEND":
                guard let size, hasImage, length == 0, end == bytes.count else { throw broken }
                guard size.width > 0, size.height > 0, size.width <= mostPixels / size.height else {
                    throw .invalidSetting("the logo has \(size.width) by \(size.height) pixels: make it smaller")
                }
                return size
            default: break
            }
            guard size != nil else { throw broken }
            index = end
        }
    }

    /// CRC-32 (PNG, annex D).
    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        ~bytes.reduce(~0) { checksumTable[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
    }

    private static let checksumTable: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CLibZ

/// The pixels of a PNG (W3C PNG, third edition): any kind of colour and depth, without interlacing.
struct PNGPicture: Sendable {
    typealias Color = InlineArray<3, UInt8>

    let width: Int
    let height: Int
    /// Row by row: red, green, blue, opacity.
    private let samples: [UInt8]

    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private static let mostPixels = 4_000_000

    /// What the head of the file says.
    private struct Head {
        let width: Int
        let height: Int
        let depth: Int
        /// Grey, colours, a palette; with an opacity for each pixel or without.
        let kind: UInt8

        init?(_ bytes: ArraySlice<UInt8>) {
            guard bytes.count == 13, bytes.suffix(3).allSatisfy({ $0 == 0 }) else { return nil }
            width = PNGPicture.number(bytes.prefix(4))
            height = PNGPicture.number(bytes.dropFirst(4).prefix(4))
            depth = Int(bytes[bytes.startIndex + 8])
            kind = bytes[bytes.startIndex + 9]
            let depths: Set<Int>? = [0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16]][kind]
            guard width > 0, height > 0, width <= mostPixels / height, depths?.contains(depth) == true else {
                return nil
            }
        }

        var channels: Int { [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind] ?? 1 }
        /// The bytes of a row.
        var stride: Int { (width * channels * depth + 7) / 8 }
        /// How far the filters look back.
        var step: Int { max(1, channels * depth / 8) }
    }

    /// Nil for what is no such picture.
    init?(_ file: [UInt8]) {
        guard file.starts(with: Self.signature) else { return nil }
        var (head, palette, opacities, packed): (Head?, [UInt8], [UInt8], [UInt8]) = (nil, [], [], [])
        var rest = file[Self.signature.count...]
        while rest.count >= 12 {
            let length = Self.number(rest.prefix(4))
            guard length <= rest.count - 12 else { return nil }
            let content = rest.dropFirst(8).prefix(length)
            switch String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self) {
            case "IHDR": head = Head(content)
            case "PLTE": palette = Array(content)
            case "tRNS": opacities = Array(content)
            case "IDAT": packed += content
            default: break
            }
            rest = rest.dropFirst(length + 12)
        }
        guard let head, let rows = Self.inflated(packed, to: (head.stride + 1) * head.height),
            let lines = Self.unfiltered(rows, head)
        else { return nil }
        (width, height) = (head.width, head.height)
        samples = Self.colors(lines, head, palette: palette, opacities: head.kind == 3 ? opacities : [])
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    private static func inflated(_ packed: [UInt8], to count: Int) -> [UInt8]? {
        var length = UInt(count)
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            let isWhole = uncompress(buffer.baseAddress, &length, packed, UInt(packed.count)) == Z_OK
            filled = isWhole ? Int(length) : 0
        }
        return bytes.count == count ? bytes : nil
    }

    /// Undoes what made the rows small (section 9).
    private static func unfiltered(_ rows: [UInt8], _ head: Head) -> [UInt8]? {
        let (stride, step) = (head.stride, head.step)
        var lines = [UInt8](repeating: 0, count: stride * head.height)
        for row in 0..<head.height {
            let (source, target) = (row * (stride + 1), row * stride)
            let filter = rows[source]
            guard filter <= 4 else { return nil }
            for column in 0..<stride {
                let left = column < step ? 0 : Int(lines[target + column - step])
                let above = row == 0 ? 0 : Int(lines[target + column - stride])
                let corner = row == 0 || column < step ? 0 : Int(lines[target + column - stride - step])
                let guess =
                    switch filter {
                    case 1: left
                    case 2: above
                    case 3: (left + above) / 2
                    case 4: nearest(left, above, corner)
                    default: 0
                    }
                lines[target + column] = rows[source + 1 + column] &+ UInt8(guess)
            }
        }
        return lines
    }

    /// The one of three that is nearest to what they let expect (Paeth).
    private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let (a, b, c) = (abs(above - corner), abs(left - corner), abs(left + above - 2 * corner))
        return a <= b && a <= c ? left : b <= c ? above : corner
    }

    private static func colors(
        _ lines: [UInt8], _ head: Head, palette: [UInt8], opacities: [UInt8]
    ) -> [UInt8] {
        let most = (1 << head.depth) - 1
        func sample(_ row: Int, _ index: Int) -> Int {
            let bit = index * head.depth
            let byte = row * head.stride + bit / 8
            // Of two bytes the first one is enough.
            if head.depth >= 8 { return Int(lines[byte]) }
            return Int(lines[byte]) >> (8 - head.depth - bit % 8) & most
        }
        var samples: [UInt8] = []
        samples.reserveCapacity(4 * head.width * head.height)
        for row in 0..<head.height {
            for column in 0..<head.width {
                let first = column * head.channels
                func part(_ index: Int) -> UInt8 { UInt8(sample(row, first + index)) }
                switch head.kind {
                case 3:
                    let entry = sample(row, first)
                    let color = palette.dropFirst(3 * entry).prefix(3)
                    samples += color.count == 3 ? Array(color) : [0, 0, 0]
                    samples.append(entry < opacities.count ? opacities[entry] : 255)
                case 2: samples += [part(0), part(1), part(2), 255]
                case 6: samples += [part(0), part(1), part(2), part(3)]
                default:
                    let grey = head.depth < 8 ? UInt8(sample(row, first) * 255 / most) : part(0)
                    samples += [grey, grey, grey, head.kind == 4 ? part(1) : 255]
                }
            }
        }
        return samples
    }

    /// The picture on white, as large as a square lets it be and in its middle: each pixel is the mean of those that it
    /// stands for.
    func drawn(into side: Int) -> [(place: (x: Int, y: Int), color: Color)] {
        let longest = max(width, height)
        let (across, down) = (max(1, width * side / longest), max(1, height * side / longest))
        let (left, top) = ((side - across) / 2, (side - down) / 2)
        func span(_ index: Int, of count: Int, in length: Int) -> Range<Int> {
            let start = index * length / count
            return start..<max(start + 1, (index + 1) * length / count)
        }
        var drawn: [(place: (x: Int, y: Int), color: Color)] = []
        drawn.reserveCapacity(across * down)
        for y in 0..<down {
            for x in 0..<across {
                var (sums, count) = (InlineArray<3, Int>(repeating: 0), 0)
                for row in span(y, of: down, in: height) {
                    for column in span(x, of: across, in: width) {
                        let start = 4 * (row * width + column)
                        let opacity = Int(samples[start + 3])
                        for part in 0..<3 { sums[part] += Int(samples[start + part]) * opacity + 255 * (255 - opacity) }
                        count += 255
                    }
                }
                let color = Color { UInt8(sums[$0] / count) }
                drawn.append(((left + x, top + y), color))
            }
        }
        return drawn
    }
}

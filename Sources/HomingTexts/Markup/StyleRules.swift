// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// What a style sheet or a `style` attribute of somebody else may contain: nothing that loads and nothing that runs.
///
/// Names of functions are on a list, so that `url()`, `image-set()`, `expression()` and whatever is invented next are
/// not; escapes are refused because they spell such names in another way.
enum StyleRules {
    private static let functions: Set = [
        "rgb", "rgba", "hsl", "hsla", "calc", "min", "max", "clamp", "var", "linear-gradient", "and", "not", "or",
    ]

    /// The part of a style that is not taken, in words; nil for a style that is.
    static func fault(in style: String) -> (reason: MarkupFault.Reason, sentence: String)? {
        let bytes = Array(style.utf8)
        guard let code = withoutComments(bytes) else { return (.style, "a comment of the style is not closed by */") }
        guard !code.contains(where: { "\\<".utf8.contains($0) || $0 == 0 }) else {
            return (.style, "a style holds \\ or <: write it without")
        }
        for (index, byte) in code.enumerated() {
            switch byte {
            case UInt8(ascii: "("):
                let name = word(endingAt: index, in: code)
                guard name.isEmpty || functions.contains(name) else {
                    let loads = name.contains("url") || name.contains("image") || name == "src"
                    return loads
                        ? (.remote, "a style loads something with \(name)(): mails load nothing, leave it out")
                        : (.style, "a style calls \(name)(), which is not taken; leave it out")
                }
            case UInt8(ascii: "@"):
                let name = word(startingAt: index + 1, in: code)
                guard name == "media" else {
                    return name == "import" || name == "font-face"
                        ? (.remote, "a style loads something with @\(name): mails load nothing, leave it out")
                        : (.style, "a style uses @\(name); only @media is taken")
                }
            default: break
            }
        }
        let names = ["behavior", "-moz-binding"]
        let text = ASCII.lowercased(String(decoding: code, as: UTF8.self))
        if let name = names.first(where: text.contains) {
            return (.script, "a style sets \(name), which runs something in old programs; leave it out")
        }
        return nil
    }

    /// The style with a space for each comment; nil when a comment does not end.
    private static func withoutComments(_ bytes: [UInt8]) -> [UInt8]? {
        var code: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard bytes[index...].starts(with: "/*".utf8) else {
                code.append(bytes[index])
                index += 1
                continue
            }
            index += 2
            while index < bytes.count, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
            guard index < bytes.count else { return nil }
            index += 2
            code.append(0x20)
        }
        return code
    }

    private static func word(endingAt end: Int, in code: [UInt8]) -> String {
        let word = code[..<end].reversed().prefix(while: isName).reversed()
        return ASCII.lowercased(String(decoding: Array(word), as: UTF8.self))
    }

    private static func word(startingAt start: Int, in code: [UInt8]) -> String {
        ASCII.lowercased(String(decoding: code[start...].prefix(while: isName), as: UTF8.self))
    }

    private static func isName(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte > 0x7F
    }
}

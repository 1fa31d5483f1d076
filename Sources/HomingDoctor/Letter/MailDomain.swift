// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Names of hosts and domains as they stand in header fields.
enum MailDomain {
    /// The domain that an organisation has registered, as far as its name shows it: there is no list of suffixes here,
    /// and DMARC needs none any more (RFC 9989).
    static func organisation(of host: some StringProtocol) -> String {
        let labels = ASCII.lowercased(host).split(separator: ".")
        guard labels.count > 2 else { return labels.joined(separator: ".") }
        let isBelowCountry = labels[labels.count - 1].utf8.count == 2 && labels[labels.count - 2].utf8.count <= 3
        return labels.suffix(isBelowCountry ? 3 : 2).joined(separator: ".")
    }

    /// Whether two domains belong together as DMARC sees it, in its relaxed way.
    static func areAligned(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
        ASCII.areEqual(organisation(of: left), organisation(of: right))
    }

    /// The domain of an address, or of a header's value with one between angle brackets.
    static func domain(ofAddress text: String) -> String? {
        guard let at = text.lastIndex(of: "@") else { return nil }
        let domain = text[text.index(after: at)...].prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || ".-".contains($0))
        }
        return domain.isEmpty ? nil : ASCII.lowercased(domain)
    }

    /// Whether a text is the name of a host on the internet, and no number.
    static func isName(_ text: some StringProtocol) -> Bool {
        guard let last = text.split(separator: ".", omittingEmptySubsequences: false).last, text.contains(".") else {
            return false
        }
        return last.utf8.count >= 2 && last.utf8.allSatisfy(ASCII.isLetter)
            && text.utf8.allSatisfy { ASCII.isLetterOrDigit($0) || $0 == 0x2d || $0 == 0x2e || $0 == 0x5f }
    }
}

/// A header's value without its comments (RFC 5322, section 3.2.2), and the comments.
struct CommentedValue {
    private(set) var text = ""
    private(set) var comments: [String] = []

    init(_ value: String) {
        var depth = 0
        var isQuoted = false
        var comment = ""
        for character in value.unicodeScalars {
            switch character {
            case "\"" where depth == 0: isQuoted.toggle()
            case "(" where !isQuoted:
                depth += 1
                if depth == 1 { continue }
            case ")" where !isQuoted && depth > 0:
                depth -= 1
                if depth == 0 {
                    comments.append(comment)
                    comment = ""
                    text.append(" ")
                    continue
                }
            default: break
            }
            if depth > 0 { comment.unicodeScalars.append(character) } else { text.unicodeScalars.append(character) }
        }
    }
}

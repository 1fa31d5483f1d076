// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// The parts of a page that a browser without scripts would use: its forms and its links.
extension RESTAnswer {
    /// The target and the fields of a form.
    package struct Form: Sendable {
        package let action: String
        package var fields: [(String, String)]

        package subscript(_ name: String) -> String? {
            fields.first { $0.0 == name }?.1
        }

        /// The same form with a field changed or added.
        package func with(_ name: String, _ value: String) -> Form {
            Form(action: action, fields: fields.filter { $0.0 != name } + [(name, value)])
        }
    }

    /// The page's first form.
    package var form: Form? { forms.first }

    /// Every form of the page with its hidden fields.
    package var forms: [Form] {
        text.components(separatedBy: "<form ").dropFirst().compactMap { piece in
            let form = piece.components(separatedBy: "</form>")[0]
            guard Self.attribute("method", of: form) == "post", let action = Self.attribute("action", of: form)
            else { return nil }
            let hidden = Self.tags("input", in: form).filter { Self.attribute("type", of: $0) == "hidden" }
            return Form(
                action: action,
                fields: hidden.compactMap { tag in
                    guard let name = Self.attribute("name", of: tag) else { return nil }
                    return (name, Self.attribute("value", of: tag) ?? "")
                })
        }
    }

    /// The value that stands in a field of the page that people see.
    package func value(of name: String) -> String? {
        Self.tags("input", in: text).first { Self.attribute("name", of: $0) == name }
            .flatMap { Self.attribute("value", of: $0) }
    }

    /// The target of the page's button, when it is a link.
    package var continueHref: String? {
        Self.tags("a", in: text).first { Self.attribute("class", of: $0)?.hasPrefix("button") == true }
            .flatMap { Self.attribute("href", of: $0) }
    }

    /// The page's language.
    package var pageLanguage: String? {
        Self.tags("html", in: text).first.flatMap { Self.attribute("lang", of: $0) }
    }

    private static func tags(_ name: String, in html: String) -> [String] {
        html.components(separatedBy: "<\(name) ").dropFirst().map { $0.components(separatedBy: ">")[0] }
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        let pieces = (" " + tag).components(separatedBy: " \(name)=\"")
        guard pieces.count > 1 else { return nil }
        return unescaped(pieces[1].components(separatedBy: "\"")[0])
    }

    private static func unescaped(_ text: String) -> String {
        let entities = [
            ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&apos;", "'"), ("&lt;", "<"),
            ("&gt;", ">"), ("&amp;", "&"),
        ]
        return entities.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}

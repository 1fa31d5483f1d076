// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The HTML of a mail template, as far as it is taken: a list of elements and attributes that lay text out, and nothing
/// besides. Links lead to `%LINK%` or to https; nothing is loaded but the project's own logo, which the mail carries.
package struct LetterMarkup: Sendable, Equatable {
    /// The one image that a letter can show: the part of the mail with the logo (RFC 2392).
    package static let logoURL = "cid:logo"
    private static let link = Placeholders.Name.link.spelling

    /// Whether the markup is a whole document; else it is the content of one.
    package let isDocument: Bool
    /// Whether somebody can tap `%LINK%`.
    package let hasLink: Bool
    /// The same as plain text, for mail programs that show no HTML.
    package let text: String

    /// - Throws: ``MarkupFault`` for the first thing that is not taken.
    package init(checking html: String) throws(MarkupFault) {
        var reader = MarkupReader(html)
        var writer = PlainTextWriter()
        var (shown, title) = (LinkNeighbours(), LinkNeighbours())
        var hasLink = false
        var isDocument = false
        while true {
            let line = reader.line
            guard let token = try reader.next() else { break }
            switch token {
            case .prologue: isDocument = true
            case .start(let tag):
                try Self.check(tag, in: reader.path, at: line)
                if tag.name == "html" || tag.name == "body" { isDocument = true }
                if tag.name == "a", let target = tag["href"], ASCII.areEqual(target, Self.link) { hasLink = true }
                writer.begin(tag)
                if PlainTextWriter.breaks(tag.name) { shown.addBreak() }
                // Programs show an image or its text; neither keeps two words apart.
                if let text = tag["alt"] { shown.add(text.filter { !$0.isWhitespace }, at: line) }
                if tag.name == "title" { title.addBreak() }
            case .end(let name):
                writer.end(name)
                if PlainTextWriter.breaks(name) { shown.addBreak() }
            case .text(let text):
                writer.add(text, in: reader.path)
                if PlainTextWriter.shows(reader.path) {
                    shown.add(text, at: line)
                } else {
                    title.add(text, at: line)
                }
            case .style(let style):
                if let fault = StyleRules.fault(in: style) {
                    throw MarkupFault(fault.reason, line: line, fault.sentence)
                }
                if let name = Placeholders.names(in: style).first {
                    throw MarkupFault(.placeholder, line: line, "%\(name)% stands in a style, where it is not filled")
                }
            }
        }
        if let line = shown.lineOfBoundLink ?? title.lineOfBoundLink {
            throw MarkupFault(.placeholder, line: line, LinkNeighbours.advice)
        }
        self.hasLink = hasLink
        self.isDocument = isDocument
        text = writer.text
    }

    // MARK: Elements

    private static let elements: [String: Set<String>] = [
        "a": ["href", "target", "rel"], "abbr": [], "address": [], "article": [], "b": [], "blockquote": [],
        "body": ["bgcolor"], "br": [], "caption": [], "center": [], "code": [], "col": ["span"], "colgroup": ["span"],
        "dd": [], "div": [], "dl": [], "dt": [], "em": [], "footer": [], "h1": [], "h2": [], "h3": [], "h4": [],
        "h5": [], "h6": [], "head": [], "header": [], "hr": [], "html": [], "i": [], "img": ["src", "alt", "border"],
        "li": [], "main": [], "meta": ["charset", "name", "content"], "ol": ["start", "type"], "p": [], "pre": [],
        "s": [], "section": [], "small": [], "span": [], "strong": [], "style": ["type", "media"], "sub": [], "sup": [],
        "table": ["cellpadding", "cellspacing", "border", "bgcolor"], "tbody": [],
        "td": ["colspan", "rowspan", "nowrap", "bgcolor"], "tfoot": [],
        "th": ["colspan", "rowspan", "nowrap", "scope", "bgcolor"], "thead": [], "title": [], "tr": ["bgcolor"],
        "u": [], "ul": ["type"],
    ]
    /// On any element.
    private static let attributes: Set = [
        "align", "aria-hidden", "aria-label", "class", "dir", "height", "id", "lang", "role", "style", "title",
        "valign",
        "width",
    ]
    /// The attributes whose text people read or hear, where placeholders are filled.
    private static let readAttributes: Set = ["alt", "aria-label", "title"]
    private static let metaNames: Set = [
        "viewport", "color-scheme", "supported-color-schemes", "format-detection",
        "x-apple-disable-message-reformatting",
    ]

    /// Elements that are refused for a reason of their own, so that the refusal says more than that.
    private static let scripts: Set = ["script", "noscript", "template", "svg", "math", "object", "embed", "applet"]
    private static let forms: Set = [
        "form", "input", "button", "select", "option", "optgroup", "textarea", "fieldset", "label", "datalist",
        "output",
        "dialog",
    ]
    private static let loaders: Set = [
        "image", "picture", "source", "video", "audio", "track", "iframe", "frame", "frameset", "link", "base",
        "bgsound",
    ]

    private static func check(_ tag: MarkupTag, in path: [String], at line: Int) throws(MarkupFault) {
        let name = tag.name
        func fault(_ reason: MarkupFault.Reason, _ sentence: String) -> MarkupFault {
            MarkupFault(reason, line: line, sentence)
        }
        guard !scripts.contains(name) else { throw fault(.script, "<\(name)> can run something: leave it out") }
        guard !forms.contains(name) else {
            throw fault(.form, "<\(name)> asks for input, which mails do not: lead to a page with %LINK%")
        }
        guard !loaders.contains(name) else {
            throw fault(.remote, "<\(name)> loads something, which mails do not: leave it out")
        }
        guard let own = elements[name] else { throw fault(.element, "<\(name)> is not taken in a mail: leave it out") }
        // A title's content is text, whatever it looks like.
        guard !path.dropLast().contains("title"), name == "title" || path.last != "title" else {
            throw fault(.malformed, "<title> holds text only")
        }
        for (attribute, value) in tag.attributes {
            guard !attribute.hasPrefix("on") else {
                throw fault(.script, "\(attribute) in <\(name)> runs a script: leave it out")
            }
            guard !["background", "srcset", "poster", "lowsrc", "dynsrc"].contains(attribute) else {
                throw fault(.remote, "\(attribute) in <\(name)> loads something, which mails do not: leave it out")
            }
            guard own.contains(attribute) || attributes.contains(attribute) else {
                throw fault(.attribute, "\(attribute) in <\(name)> is not taken: leave it out")
            }
            try check(attribute, value, of: name, at: line)
        }
        if name == "meta", let meta = tag["name"], !metaNames.contains(ASCII.lowercased(meta)) {
            throw fault(.attribute, "<meta name=\"\(meta)\"> is not taken: leave it out")
        }
        if name == "img" {
            guard let source = tag["src"], ASCII.areEqual(source, logoURL) else {
                throw fault(.remote, "<img> shows the project's logo only, src=\"\(logoURL)\": mails load no image")
            }
            guard tag["alt"] != nil else { throw fault(.attribute, "<img> needs alt, which may be empty") }
        }
    }

    // MARK: Values of attributes

    private static func check(
        _ attribute: String, _ value: String, of element: String, at line: Int
    ) throws(MarkupFault) {
        if attribute == "href" {
            guard ASCII.areEqual(value, link) || isWebURL(value) else {
                let runs = ["javascript:", "vbscript:", "data:"].contains { packed(value).hasPrefix($0) }
                throw MarkupFault(
                    runs ? .script : .link, line: line,
                    "a link leads neither to %LINK% nor to a URL with https:// and without placeholders")
            }
        } else if attribute == "style" {
            if let fault = StyleRules.fault(in: value) { throw MarkupFault(fault.reason, line: line, fault.sentence) }
        }
        let names = Placeholders.names(in: value)
        guard attribute == "href" || names.isEmpty || (readAttributes.contains(attribute) && !names.contains("LINK"))
        else {
            throw MarkupFault(
                .placeholder, line: line, "%\(names[0])% stands in \(attribute) of <\(element)>, where it is not filled"
            )
        }
    }

    /// Lower case without spaces and control characters, which old browsers skip in a scheme.
    private static func packed(_ value: String) -> String {
        String(decoding: value.utf8.filter { $0 > 0x20 }.map(ASCII.folded), as: UTF8.self)
    }

    /// An absolute https URL of visible ASCII, with a host and nothing before the host.
    private static func isWebURL(_ value: String) -> Bool {
        guard value.hasPrefixFoldingASCII("https://"), value.utf8.count <= 2048, Placeholders.names(in: value).isEmpty,
            value.utf8.allSatisfy({ ASCII.isVisible($0) && !"\"'<>\\".utf8.contains($0) })
        else { return false }
        let host = value.utf8.dropFirst(8).prefix { !"/?#".utf8.contains($0) }
        return !host.isEmpty
            && host.allSatisfy { ASCII.isLetterOrDigit($0) || ".-:".utf8.contains($0) }
            && host.first != UInt8(ascii: ":")
    }
}

/// Turns the tokens of a letter into plain text: blocks on lines of their own, and links behind their labels.
private struct PlainTextWriter {
    private static let paragraphs: Set = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "dl", "blockquote", "pre", "hr", "address",
    ]
    private static let lines: Set = [
        "div", "tr", "dt", "dd", "center", "section", "header", "footer", "main", "article", "caption",
    ]

    private var result = ""
    private var links: [String] = []

    /// Whether what stands on the two sides of the element's tags is never one word.
    static func breaks(_ name: String) -> Bool {
        paragraphs.contains(name) || lines.contains(name) || ["br", "li", "td", "th"].contains(name)
    }

    /// Whether text stands in the letter itself.
    static func shows(_ path: [String]) -> Bool { !path.contains("head") && path.last != "title" }

    mutating func begin(_ tag: MarkupTag) {
        if tag.name == "br" { result += "\n" }
        if tag.name == "a" { links.append(tag["href"] ?? "") }
        breakLine(tag.name)
        if tag.name == "li" { result += "- " }
    }

    mutating func end(_ name: String) {
        if name == "a", let target = links.popLast(), !target.isEmpty, !result.hasSuffix(target) {
            result += result.hasSuffix("\n") || result.isEmpty ? "\(target)\n" : ":\n\(target)\n"
        }
        breakLine(name)
    }

    mutating func add(_ text: String, in path: [String]) {
        guard Self.shows(path) else { return }
        for word in text.split(whereSeparator: { $0 == " " || $0.isNewline || $0 == "\t" }) {
            if let last = result.last, last != "\n", last != " ", word.startIndex != text.startIndex { result += " " }
            result += word
        }
        if text.last?.isWhitespace == true, let last = result.last, last != "\n", last != " " { result += " " }
    }

    private mutating func breakLine(_ name: String) {
        if name == "td" || name == "th" {
            if !result.isEmpty, !result.hasSuffix("\n"), !result.hasSuffix(" ") { result += " " }
        } else if Self.paragraphs.contains(name) {
            result += "\n\n"
        } else if Self.lines.contains(name) || (name == "li" && !result.hasSuffix("\n")) {
            result += "\n"
        }
    }

    /// Without spaces around lines, and with one empty line at most between two.
    var text: String {
        let lines = result.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }
        var kept: [String] = []
        for line in lines.map({ String($0) }) where !(line.isEmpty && (kept.last ?? "").isEmpty) { kept.append(line) }
        if kept.last?.isEmpty == true { kept.removeLast() }
        return kept.joined(separator: "\n")
    }
}

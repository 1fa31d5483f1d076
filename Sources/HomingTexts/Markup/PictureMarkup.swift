// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An SVG picture, as far as it is taken: shapes, colours and gradients of its own. Nothing runs and nothing is loaded.
package enum PictureMarkup {
    private static let elements: Set = [
        "svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "defs", "linearGradient",
        "radialGradient", "stop", "clipPath", "mask", "title", "desc", "style",
    ]
    private static let attributes: Set = [
        "class", "clip-path", "clip-rule", "clipPathUnits", "color", "cx", "cy", "d", "display", "fill", "fill-opacity",
        "fill-rule", "fx", "fy", "gradientTransform", "gradientUnits", "height", "id", "mask", "mask-type", "maskUnits",
        "offset", "opacity", "overflow", "pathLength", "points", "preserveAspectRatio", "r", "role", "aria-hidden",
        "aria-label", "rx", "ry", "spreadMethod", "stop-color", "stop-opacity", "stroke", "stroke-dasharray",
        "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
        "style", "transform", "type", "version", "viewBox", "width", "x", "x1", "x2", "xml:space", "y", "y1", "y2",
    ]
    private static let namespaces = [
        "xmlns": "http://www.w3.org/2000/svg", "xmlns:xlink": "http://www.w3.org/1999/xlink",
    ]

    /// - Throws: ``MarkupFault`` for the first thing that is not taken.
    package static func check(_ svg: String) throws(MarkupFault) {
        var reader = MarkupReader(svg, isXML: true)
        var isFirst = true
        while true {
            let line = reader.line
            guard let token = try reader.next() else { break }
            switch token {
            case .start(let tag):
                guard isFirst == (tag.name == "svg") else {
                    throw MarkupFault(.malformed, line: line, "a picture is one <svg> and what stands in it")
                }
                guard !isFirst || tag["xmlns"] != nil else {
                    throw MarkupFault(.malformed, line: line, "<svg> needs xmlns=\"http://www.w3.org/2000/svg\"")
                }
                isFirst = false
                try check(tag, at: line)
            case .text(let text):
                guard !reader.path.isEmpty || text.allSatisfy(\.isWhitespace) else {
                    throw MarkupFault(.malformed, line: line, "there is text outside <svg>")
                }
            case .style(let style): try check(style: style, at: line)
            case .prologue, .end: break
            }
        }
        guard !isFirst else { throw MarkupFault(.malformed, line: 1, "there is no <svg>") }
    }

    private static func check(_ tag: MarkupTag, at line: Int) throws(MarkupFault) {
        guard elements.contains(tag.name) else {
            let reason: MarkupFault.Reason =
                switch tag.name {
                case "script", "foreignObject", "handler", "set", "animate", "animateTransform", "animateMotion":
                    .script
                case "image", "use", "a", "feImage", "iframe": .remote
                default: .element
                }
            throw MarkupFault(reason, line: line, "<\(tag.name)> is not taken in a picture: export it as plain SVG")
        }
        for (name, value) in tag.attributes {
            if let namespace = namespaces[name] {
                guard ASCII.areEqual(value, namespace) else {
                    throw MarkupFault(.attribute, line: line, "\(name) is not \(namespace)")
                }
                continue
            }
            guard attributes.contains(name) else {
                let reason: MarkupFault.Reason =
                    name.hasPrefix("on") ? .script : name.hasSuffix("href") || name == "src" ? .remote : .attribute
                throw MarkupFault(
                    reason, line: line, "\(name) in <\(tag.name)> is not taken in a picture: export it as plain SVG")
            }
            try check(style: withoutOwnReference(value), at: line)
        }
    }

    /// A presentation attribute is read as a style, in which `url(#name)` is a part of the picture itself.
    private static func withoutOwnReference(_ value: String) -> String {
        guard value.hasPrefix("url(#"), value.hasSuffix(")"), !value.dropFirst(5).dropLast().contains("(") else {
            // Transforms are functions, too: they move a shape and load nothing.
            let moves = ["matrix(", "translate(", "scale(", "rotate(", "skewX(", "skewY("]
            return moves.reduce(value) { $0.replacing($1, with: "(") }
        }
        return ""
    }

    private static func check(style: String, at line: Int) throws(MarkupFault) {
        if let fault = StyleRules.fault(in: style) { throw MarkupFault(fault.reason, line: line, fault.sentence) }
    }
}

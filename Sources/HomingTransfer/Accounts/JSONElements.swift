// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingWire

/// Finds the elements of one array in a JSON document (RFC 8259) that is taken in pieces: of the member with one of these
/// names, or of the document itself. Or, in a file of many documents, finds each.
///
/// Only brackets and texts are looked at; whoever parses the elements checks the rest.
struct JSONElements {
    struct Element {
        let line: Int
        let bytes: [UInt8]
        /// Whether this is the object that says something of all elements, and none of them.
        var isPreface = false
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The greatest size of an element in bytes.
    static let longest = 1 << 20

    private let members: [[UInt8]]
    /// What an element is, with its article.
    private let name: String
    private let preface: [UInt8]
    private let areDocuments: Bool
    private var bytes: [UInt8] = []
    private var offset = 0
    private var line = 1
    private var isWhole = false

    /// The brackets that are open, as their closing ones.
    private var open: [UInt8] = []
    private var isInText = false
    private var isEscaped = false
    /// The last text on the document's own level: the name of the member whose value comes.
    private var text: [UInt8] = []
    /// The depth of the array; nil before it is found and behind its end.
    private var depth: Int?
    private var wasFound = false
    private var element: (start: Int, line: Int)?
    private var isInPreface = false

    /// - Parameters:
    ///   - members: the names that the array's member may have; nil where each element is a document of its own.
    ///   - preface: the name of a member whose object is passed on as well, where it stands before the array.
    ///   - name: what an element is, with its article, for a message.
    init(members: [String]?, preface: String? = nil, of name: String) {
        self.members = (members ?? []).map { Array($0.utf8) }
        self.preface = Array((preface ?? "").utf8)
        self.name = name
        areDocuments = members == nil
        if areDocuments { (depth, wasFound) = (0, true) }
    }

    mutating func take(_ piece: [UInt8]) {
        let kept = element?.start ?? offset
        bytes.removeFirst(kept)
        offset -= kept
        element?.start = 0
        bytes += piece
    }

    mutating func finish() { isWhole = true }

    /// The next element; nil when no whole one is left in what was taken so far.
    mutating func next() throws(Fault) -> Element? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\n") { line += 1 }
            if let element, offset - element.start > Self.longest {
                throw Fault(description: "line \(element.line): \(name) takes more than \(Self.longest) bytes")
            }
            if isInText {
                take(inText: byte)
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                guard open.count != depth else { throw notAnObject }
                isInText = true
                if open.count == 1 { text = [] }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                try begin(byte)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard open.last == byte else { throw Fault(description: "line \(line): this bracket closes nothing") }
                open.removeLast()
                if let found = end() { return found }
            default:
                guard !open.isEmpty || ASCII.isSpace(byte) else {
                    throw Fault(description: "line \(line): something stands outside of the brackets")
                }
                guard open.count != depth || byte == UInt8(ascii: ",") || ASCII.isSpace(byte) else { throw notAnObject }
            }
        }
        guard isWhole else { return nil }
        guard open.isEmpty, !isInText else { throw Fault(description: "line \(line): the file ends in the middle") }
        guard wasFound else {
            let names = members.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }
            throw Fault(description: "the file has no \(names.joined(separator: " or "))")
        }
        return nil
    }

    private mutating func take(inText byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isInText = false
            return
        }
        if open.count == 1, text.count <= longestName { text.append(byte) }
    }

    private mutating func begin(_ byte: UInt8) throws(Fault) {
        guard open.count < 64 else { throw Fault(description: "line \(line): too many brackets are open") }
        let isArray = byte == UInt8(ascii: "[")
        guard !open.isEmpty || !wasFound || areDocuments else {
            throw Fault(description: "line \(line): something stands behind the end")
        }
        if isArray, wasFound, depth == nil, open.count == 1, members.contains(text) {
            let name = String(decoding: text, as: UTF8.self)
            throw Fault(description: "line \(line): the file has a second \"\(name)\", which would not be read")
        }
        let isMember = open.count == 1 && open[0] == UInt8(ascii: "}") && members.contains(text)
        if isArray, !wasFound, open.isEmpty || isMember {
            (depth, wasFound) = (open.count + 1, true)
        } else if open.count == depth {
            guard !isArray else { throw notAnObject }
            element = (offset - 1, line)
        } else if !isArray, !wasFound, !preface.isEmpty, open.count == 1, text == preface {
            (element, isInPreface) = ((offset - 1, line), true)
        }
        open.append(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }

    private var longestName: Int { max(members.map(\.count).max() ?? 0, preface.count) }

    private var notAnObject: Fault { Fault(description: "line \(line): \(name) is an object") }

    private mutating func end() -> Element? {
        if isInPreface, open.count == 1, let began = element {
            (element, isInPreface) = (nil, false)
            return Element(line: began.line, bytes: Array(bytes[began.start..<offset]), isPreface: true)
        }
        guard let depth else { return nil }
        if open.count < depth { self.depth = nil }
        guard open.count == depth, let began = element else { return nil }
        element = nil
        return Element(line: began.line, bytes: Array(bytes[began.start..<offset]))
    }
}

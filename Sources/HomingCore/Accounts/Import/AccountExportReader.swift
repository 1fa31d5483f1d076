// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// Reads a file of `firebase auth:export`, JSON or CSV, a piece at a time: a file of a million accounts takes no more
/// memory than one of a thousand.
package struct AccountExportReader {
    /// An account, or the reason why there is none, and the line of the file on which it begins.
    package struct Row: Sendable {
        package let line: Int
        package let account: Result<ImportedAccount, ImportedAccount.Fault>
        /// What the file calls it, for a report; it may be anything.
        package let name: String
    }

    /// The file is not what it should be, and nothing of it counts.
    package struct Fault: Error, CustomStringConvertible {
        package let description: String
    }

    private enum Format {
        case json(JSONElements)
        case csv(CSVReader)
    }

    private let scheme: PasswordScheme?
    private var format: Format?
    private var beginning: [UInt8] = []
    private var isWhole = false

    /// - Parameter scheme: how the hashes were made; nil where there are none.
    package init(scheme: PasswordScheme?) {
        self.scheme = scheme
    }

    package mutating func take(_ piece: [UInt8]) {
        switch format {
        case .json(var elements)?:
            format = nil
            elements.take(piece)
            format = .json(elements)
        case .csv(var reader)?:
            format = nil
            reader.take(piece)
            format = .csv(reader)
        case nil:
            beginning += piece
            decide()
        }
    }

    /// Marks the end of the file.
    package mutating func finish() {
        isWhole = true
        if case nil = format { decide() }
        switch format {
        case .json(var elements)?:
            format = nil
            elements.finish()
            format = .json(elements)
        case .csv(var reader)?:
            format = nil
            reader.finish()
            format = .csv(reader)
        case nil: break
        }
    }

    /// The first character that is none of white space tells: no id begins with a bracket.
    private mutating func decide() {
        // A byte order mark is whole or not there.
        guard beginning.count >= 3 || isWhole else { return }
        let marks: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = beginning.starts(with: marks) ? beginning.dropFirst(3) : beginning[...]
        guard let first = text.first(where: { !JSONElements.isBlank($0) }) else { return }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            var elements = JSONElements(member: "users")
            elements.take(Array(text))
            format = .json(elements)
        } else {
            var reader = CSVReader()
            reader.take(beginning)
            format = .csv(reader)
        }
        beginning = []
    }

    /// The next account; nil when none is left in the pieces so far.
    package mutating func next() throws(Fault) -> Row? {
        switch format {
        case .json(var elements)?:
            format = nil
            defer { format = .json(elements) }
            do throws(JSONElements.Fault) {
                guard let element = try elements.next() else { return nil }
                return row(element)
            } catch {
                throw Fault(description: error.description)
            }
        case .csv(var reader)?:
            format = nil
            defer { format = .csv(reader) }
            do throws(CSVFault) {
                guard let record = try reader.next() else { return nil }
                let scheme = scheme
                let account = Result { () throws(ImportedAccount.Fault) in try ImportedAccount(record.fields, scheme) }
                return Row(line: record.line, account: account, name: record.fields.first ?? "")
            } catch {
                throw Fault(description: TakeoutFault(error).description)
            }
        case nil:
            guard !isWhole else { throw Fault(description: "the file is empty") }
            return nil
        }
    }

    private func row(_ element: JSONElements.Element) -> Row {
        let object: JSON.Object
        do throws(JSONFault) {
            guard let value = try JSON.parse(element.bytes).objectValue else {
                return Row(line: element.line, account: .failure(.init("this is no object")), name: "")
            }
            object = value
        } catch {
            return Row(line: element.line, account: .failure(.init("this is no JSON: \(error)")), name: "")
        }
        let scheme = scheme
        let account = Result { () throws(ImportedAccount.Fault) in try ImportedAccount(object, scheme) }
        return Row(line: element.line, account: account, name: object["localId"]?.stringValue ?? "")
    }
}

/// Finds the elements of one array in a JSON document (RFC 8259) that is taken in pieces: of the member with this name, or
/// of the document itself.
///
/// Only brackets and texts are looked at; whoever parses the elements checks the rest.
struct JSONElements {
    struct Element {
        let line: Int
        let bytes: [UInt8]
    }

    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The greatest size of an element in bytes.
    static let longest = 1 << 20

    private let member: [UInt8]
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

    init(member: String) {
        self.member = Array(member.utf8)
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
                throw Fault(description: "line \(element.line): an account takes more than \(Self.longest) bytes")
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
                guard !open.isEmpty || Self.isBlank(byte) else {
                    throw Fault(description: "line \(line): something stands outside of the brackets")
                }
                guard open.count != depth || byte == UInt8(ascii: ",") || Self.isBlank(byte) else { throw notAnObject }
            }
        }
        guard isWhole else { return nil }
        guard open.isEmpty, !isInText else { throw Fault(description: "line \(line): the file ends in the middle") }
        guard wasFound else {
            throw Fault(description: "the file has no \"\(String(decoding: member, as: UTF8.self))\"")
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
        if open.count == 1, text.count <= member.count { text.append(byte) }
    }

    private mutating func begin(_ byte: UInt8) throws(Fault) {
        guard open.count < 64 else { throw Fault(description: "line \(line): too many brackets are open") }
        let isArray = byte == UInt8(ascii: "[")
        guard !open.isEmpty || !wasFound else {
            throw Fault(description: "line \(line): something stands behind the end")
        }
        if isArray, !wasFound, open.isEmpty || (open.count == 1 && open[0] == UInt8(ascii: "}") && text == member) {
            (depth, wasFound) = (open.count + 1, true)
        } else if open.count == depth {
            guard !isArray else { throw notAnObject }
            element = (offset - 1, line)
        }
        open.append(isArray ? UInt8(ascii: "]") : UInt8(ascii: "}"))
    }

    private var notAnObject: Fault { Fault(description: "line \(line): an account is an object") }

    /// RFC 8259 section 2.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0A).contains(byte) || byte == 0x0D }

    private mutating func end() -> Element? {
        guard let depth else { return nil }
        if open.count < depth { self.depth = nil }
        guard open.count == depth, let began = element else { return nil }
        element = nil
        return Element(line: began.line, bytes: Array(bytes[began.start..<offset]))
    }
}

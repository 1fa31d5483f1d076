// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension JSON {
    /// The members of a JSON object, in the order in which they were written.
    package struct Object: Sendable, Equatable {
        /// One key with its value.
        package struct Member: Sendable {
            package let key: String
            package var value: JSON
        }

        /// All members in order. A parsed object has no key twice.
        package private(set) var members: [Member]

        /// Whether any key could be a second spelling of a field; hardly any request has one.
        private var hasUnderscores = false

        package init() {
            members = []
            members.reserveCapacity(4)
        }

        /// Makes an object of members in the given order; of two equal keys the later value takes the earlier position.
        package init(_ pairs: [(String, JSON)]) {
            members = []
            members.reserveCapacity(pairs.count)
            guard pairs.count > JSONParser.hashingThreshold else {
                for (key, value) in pairs { self[key] = value }
                return
            }
            // A form may have as many fields as fit into its body: comparing all pairs would hold a core for seconds.
            var indices: [[UInt8]: Int] = [:]
            for (key, value) in pairs {
                let index = indices[Array(key.utf8), default: members.count]
                guard index == members.count else {
                    members[index].value = value
                    continue
                }
                indices[Array(key.utf8)] = index
                members.append(Member(key: key, value: value))
            }
            hasUnderscores = members.contains { $0.key.hasUnderscore }
        }

        /// Makes an object without looking for equal keys, which the parser has refused already.
        init(distinct members: [Member]) {
            self.members = members
            hasUnderscores = members.contains { $0.key.hasUnderscore }
        }

        /// The value under exactly this key, compared byte by byte. Setting nil removes it; a new key goes last.
        package subscript(_ key: String) -> JSON? {
            get { members.first { $0.key.hasSameBytes(as: key) }?.value }
            set {
                let index = members.firstIndex { $0.key.hasSameBytes(as: key) }
                switch (index, newValue) {
                case (let index?, let value?): members[index].value = value
                case (let index?, nil): members.remove(at: index)
                case (nil, let value?):
                    members.append(Member(key: key, value: value))
                    hasUnderscores = hasUnderscores || key.hasUnderscore
                case (nil, nil): break
                }
            }
        }

        /// The value of a field of the wire by its camelCase name; `return_secure_token` is read as
        /// `returnSecureToken`, as protobuf's JSON mapping does.
        ///
        /// - Throws: ``JSONFault`` when both spellings are there: two readers could then see two different requests.
        package func field(_ name: String) throws(JSONFault) -> JSON? {
            guard hasUnderscores else { return self[name] }
            var found: JSON?
            for member in members where member.key.hasSameBytes(as: name) || member.key.isSnakeCase(of: name) {
                guard found == nil else { throw JSONFault(reason: .bothSpellings(of: name), offset: nil) }
                found = member.value
            }
            return found
        }

        /// Whether the same keys with equal values are in the same order.
        package static func == (left: Object, right: Object) -> Bool {
            left.members.elementsEqual(right.members) { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
        }
    }
}

extension String {
    /// Whether the bytes are the same; `==` alone would be canonical equivalence. `==` goes first because it is the
    /// fastest way to tell strings apart, and equal bytes are always equivalent.
    func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }

    fileprivate var hasUnderscore: Bool {
        index(ofByte: UInt8(ascii: "_")) != nil
    }

    /// Whether this is another spelling, with underscores, of a camelCase name.
    fileprivate func isSnakeCase(of name: String) -> Bool {
        guard utf8.count > name.utf8.count else { return false }
        var folded = SnakeFolding(utf8)
        for byte in name.utf8 {
            guard folded.next() == byte else { return false }
        }
        return folded.next() == nil
    }
}

/// Walks the bytes of `return_secure_token` as `returnSecureToken`: an underscore between two letters or digits goes,
/// and the letter behind it becomes a capital. Other underscores stay: `email_` is no spelling of `email`.
private struct SnakeFolding {
    private let bytes: String.UTF8View
    private var index: String.UTF8View.Index
    private var afterWord = false

    init(_ bytes: String.UTF8View) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    mutating func next() -> UInt8? {
        guard index < bytes.endIndex else { return nil }
        let byte = bytes[index]
        bytes.formIndex(after: &index)
        if byte == UInt8(ascii: "_"), afterWord, index < bytes.endIndex,
            ASCII.isLowercaseLetter(bytes[index]) || ASCII.isDigit(bytes[index])
        {
            let folded = bytes[index]
            bytes.formIndex(after: &index)
            return folded >= UInt8(ascii: "a") ? folded - 0x20 : folded
        }
        afterWord = byte != UInt8(ascii: "_")
        return byte
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The rule that a JSON text breaks, and the position.
package struct JSONFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// The rule that was broken.
    package enum Reason: Sendable, Equatable {
        case unexpectedEnd
        case unexpectedByte
        case contentAfterValue
        case byteOrderMark
        case invalidUTF8
        case controlCharacter
        case nul
        case invalidEscape
        case loneSurrogate
        case invalidNumber
        case numberOutOfRange
        case duplicateKey
        case tooDeep
        case tooManyMembers
        case tooManyValues(limit: Int)
        /// A field is given as camelCase and as snake_case; the name is ours, in camelCase.
        case bothSpellings(of: String)
    }

    package let reason: Reason

    /// The offset of the offending byte from the start of the text; nil where the fault has no single position.
    package let offset: Int?

    package init(reason: Reason, offset: Int?) {
        self.reason = reason
        self.offset = offset
    }

    /// A sentence for the caller. The sentence quotes nothing of the text, which may hold a password.
    package var description: String {
        guard let offset else { return sentence }
        return "\(sentence) at byte \(offset)"
    }

    /// The rule that was broken, without the place.
    package var sentence: String {
        switch reason {
        case .unexpectedEnd: "the JSON text ends too early"
        case .unexpectedByte: "a character that JSON does not allow here"
        case .contentAfterValue: "something follows the JSON value"
        case .byteOrderMark: "a byte order mark; send UTF-8 without one"
        case .invalidUTF8: "invalid UTF-8"
        case .controlCharacter: "a control character in a string; escape it"
        case .nul: "a NUL character in a string"
        case .invalidEscape: "an unknown escape in a string"
        case .loneSurrogate: "half of a surrogate pair in a string"
        case .invalidNumber: "a malformed number"
        case .numberOutOfRange: "a number that is too large or too long"
        case .duplicateKey: "a key that is already in the same object"
        case .tooDeep: "more than \(JSONParser.maximumDepth) arrays and objects inside each other"
        case .tooManyMembers: "more than \(JSONParser.mostMembers) members in one object"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .bothSpellings(let name): "\(name) is given twice, in camelCase and in snake_case"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Custom claims are an object of at most 1,000 bytes that takes none of a token's own names.
package enum CustomClaims {
    /// In bytes, as in Firebase.
    package static let most = 1000

    private static let reserved: Set<String> = [
        "iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf", "auth_time", "firebase",
        "at_hash", "c_hash",
    ]

    package static func check(_ text: String) throws(Refusal) {
        guard text.utf8.count <= most else { throw .claimsTooLarge }
        guard !text.isEmpty else { return }
        guard let object = (try? JSON.parse(Array(text.utf8)))?.objectValue else { throw .invalidClaims }
        guard hasDistinctKeys(.object(object)) else { throw .invalidClaims }
        for member in object.members where reserved.contains(member.key) { throw .forbiddenClaim(member.key) }
    }

    /// The text as accounts keep it: without the blanks and line breaks that somebody has typed for the eye.
    ///
    /// - Throws: ``Fault`` for a text that cannot be kept; an empty one is kept, and has no claims.
    package static func kept(_ typed: String) throws(Fault) -> String {
        guard !ASCII.trimmed(typed).isEmpty else { return "" }
        let value: JSON
        do throws(JSONFault) {
            value = try JSON.parse(Array(typed.utf8))
        } catch {
            throw Fault(line: error.offset.map { line(at: $0, in: typed) }, reason: error.sentence)
        }
        guard let object = value.objectValue else {
            throw Fault(line: nil, reason: "claims are an object, such as {\"admin\": true}")
        }
        if let member = object.members.first(where: { reserved.contains($0.key) }) {
            throw Fault(
                line: line(ofName: member.key, in: typed),
                reason: "\(member.key) is a name that tokens keep to themselves")
        }
        guard hasDistinctKeys(value) else {
            throw Fault(line: nil, reason: "two names look the same, and readers would take them for one")
        }
        let text = String(decoding: value.write(pretty: false), as: UTF8.self)
        guard text.utf8.count <= most else {
            throw Fault(line: nil, reason: "the claims have \(text.utf8.count) bytes, and at most \(most) are kept")
        }
        return text
    }

    /// Why a text that somebody has typed cannot be kept.
    package struct Fault: Error, Equatable {
        /// Counted from 1; nil where it is about no single one.
        package let line: Int?
        /// In words that quote no value.
        package let reason: String
    }

    private static func line(at offset: Int, in text: String) -> Int {
        1 + text.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }

    private static func line(ofName name: String, in text: String) -> Int? {
        Array(text.utf8).firstRange(of: Array("\"\(name)\"".utf8)).map { line(at: $0.lowerBound, in: text) }
    }

    /// Whether no two keys differ in bytes and are canonically equal: readers of the token would take them for one key.
    private static func hasDistinctKeys(_ value: JSON) -> Bool {
        switch value {
        case .object(let object):
            Set(object.members.map(\.key)).count == object.members.count
                && object.members.allSatisfy { hasDistinctKeys($0.value) }
        case .array(let items): items.allSatisfy(hasDistinctKeys)
        default: true
        }
    }
}

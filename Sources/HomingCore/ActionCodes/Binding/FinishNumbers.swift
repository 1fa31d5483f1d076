// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// What a request can be named and finished by besides its link. Each is derived from the code's id by the key ring, so
/// that the database keeps none of them.
package struct FinishNumbers: Sendable {
    package let sealed: SealedID
    private let context: [UInt8]
    private let ring: KeyRing

    package init(of sealed: SealedID, kind: ActionCodeKind, project: Scope, ring: KeyRing) {
        self.sealed = sealed
        context = ActionCode.context(kind, project: project)
        self.ring = ring
    }

    /// What the asking client names its request by; nobody gets the code from it. Nil where the key version is retired,
    /// as for the others.
    package func requestID() throws(Refusal) -> String? {
        try sealed.text(for: .codeRequest, context: context, ring: ring)
    }

    /// The two digits, 10 to 99, that the asking device shows and the page on another device asks for.
    package func matchNumber() throws(Refusal) -> String? { try twoDigits(for: .matchNumber) }

    /// The two digits, 10 to 99, that stand in the mail of an unbound request.
    package func pressNumber() throws(Refusal) -> String? { try twoDigits(for: .pressNumber) }

    /// The eight digits that stand in the mail of a bound request, and are typed where it was asked for.
    package func typedCode() throws(Refusal) -> String? {
        try sealed.number(below: 100_000_000, for: .typedCode, context: context, ring: ring).map { number in
            let digits = String(number)
            return String(repeating: "0", count: Self.typedLength - digits.utf8.count) + digits
        }
    }

    package static let typedLength = 8

    private func twoDigits(for purpose: KeyRing.Purpose) throws(Refusal) -> String? {
        try sealed.number(below: 90, for: purpose, context: context, ring: ring).map { String(10 + $0) }
    }
}

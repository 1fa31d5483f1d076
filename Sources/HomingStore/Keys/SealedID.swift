// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// An id with a proof that we made it: key version (1 byte), id (15), MAC (24), as 54 characters of base64url.
///
/// Nobody can make one without the master key. The id itself is no secret: its time comes first, which keeps the newest
/// rows side by side in the database.
///
/// Action codes and refresh tokens are both made this way. The database keeps the id only, so that a stolen database
/// opens nothing; a forged sealed id is refused without asking the database.
package struct SealedID: Sendable, Equatable {
    package static let textLength = 54
    private static let idLength = 15
    private static let macLength = 24

    package let version: UInt8
    package let id: [UInt8]

    package init(version: UInt8, id: [UInt8]) {
        self.version = version
        self.id = id
    }

    /// A new id under the key version in use.
    ///
    /// - Throws: ``Refusal/keyMissing``, before anything is written.
    package init(newIn ring: KeyRing, system: System) throws(Refusal) {
        self.init(version: try ring.versionInUse(), id: system.orderedBytes(Self.idLength))
    }

    /// Reads a text whose MAC is right for the purpose and one of the contexts, and tells which context it was.
    ///
    /// A context is what the MAC covers beside the id: the project, and for a code its kind.
    ///
    /// - Throws: ``Refusal/keyMissing`` where this node cannot judge the text.
    package static func open(
        _ text: String, for purpose: KeyRing.Purpose, contexts: [[UInt8]], ring: KeyRing
    ) throws(Refusal) -> (sealed: SealedID, context: Int)? {
        guard text.utf8.count == textLength, let bytes = Base64URL.decode(text),
            bytes.count == 1 + idLength + macLength
        else { return nil }
        let sealed = SealedID(version: bytes[0], id: Array(bytes[1...idLength]))
        let given = bytes[(1 + idLength)...]
        for (index, context) in contexts.enumerated() {
            guard let mac = try sealed.mac(for: purpose, context: context, ring: ring) else { return nil }
            if areEqualInConstantTime(mac, given) { return (sealed, index) }
        }
        return nil
    }

    /// The text, or nil when the key version is retired, below the floor, or in nobody's file.
    ///
    /// - Throws: ``Refusal/keyMissing`` where this node's file may lack the version alone.
    package func text(for purpose: KeyRing.Purpose, context: [UInt8], ring: KeyRing) throws(Refusal) -> String? {
        guard let mac = try mac(for: purpose, context: context, ring: ring) else { return nil }
        return Base64URL.encode([version] + id + mac)
    }

    /// A number that everybody with the key can derive from the id, and nobody else.
    ///
    /// - Parameter bound: far below 2^64, so that no number is likelier than another one.
    /// - Returns: nil where ``text(for:context:ring:)`` is nil.
    package func number(
        below bound: UInt64, for purpose: KeyRing.Purpose, context: [UInt8], ring: KeyRing
    ) throws(Refusal) -> UInt64? {
        try mac(for: purpose, context: context, ring: ring).map { mac in
            mac.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % bound
        }
    }

    private func mac(
        for purpose: KeyRing.Purpose, context: [UInt8], ring: KeyRing
    ) throws(Refusal) -> ArraySlice<UInt8>? {
        try ring.mac([version] + id + context, for: purpose, version: version)?.prefix(Self.macLength)
    }
}

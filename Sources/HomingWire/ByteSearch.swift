// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension StringProtocol {
    /// The first index of a byte.
    ///
    /// Equal to `utf8.firstIndex(of:)`, which asks for the index of every byte on the way and takes far longer.
    func index(ofByte byte: UInt8) -> Index? {
        let location = utf8.withContiguousStorageIfAvailable { $0.firstIndex(of: byte) }
        guard let location else { return utf8.firstIndex(of: byte) }
        return location.map { utf8.index(startIndex, offsetBy: $0) }
    }
}

extension Substring {
    /// The pieces between the separators, without empty pieces.
    func pieces(separatedBy separator: UInt8) -> [Substring] {
        var pieces: [Substring] = []
        var rest = self
        while let end = rest.index(ofByte: separator) {
            if end != rest.startIndex { pieces.append(rest[..<end]) }
            rest = rest[rest.utf8.index(after: end)...]
        }
        if !rest.utf8.isEmpty { pieces.append(rest) }
        return pieces
    }
}

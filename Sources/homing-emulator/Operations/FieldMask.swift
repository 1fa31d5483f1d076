// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The members of a settings document that a request changes: `updateMask`, paths with dots between commas
/// (google.protobuf.FieldMask). An empty one is a request to replace the document.
struct FieldMask {
    private let paths: [[Substring]]

    init(_ text: String) {
        paths = text.split(separator: ",").map { $0.split(separator: ".") }
    }

    var isEmpty: Bool { paths.isEmpty }

    /// Puts what the mask names and the update has into a document, whatever it is: settings that the emulator does not
    /// heed are kept as data. What the update lacks stays; in production it goes.
    func apply(_ update: Body, to document: inout JSON.Object) throws(Fault) {
        for path in paths { try Self.put(path[...], of: update, into: &document) }
    }

    private static func put(
        _ path: ArraySlice<Substring>, of update: Body, into object: inout JSON.Object
    ) throws(Fault) {
        guard let name = path.first.map({ String($0) }), let value = try update.value(name) else { return }
        guard path.count > 1 else {
            object[name] = value
            return
        }
        guard let inner = value.objectValue else { return }
        var member = object[name]?.objectValue ?? JSON.Object()
        try put(path.dropFirst(), of: Body(inner), into: &member)
        object[name] = .object(member)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import Foundation
internal import HomingWire

// What stands in the folders of this name is called by the Objective-C classes of HomingObjC, which declare it once more in
// HomingC.h. C holds objects as pointers with a reference each, and gives each back with homing_release. Text is UTF-8:
// what comes in is read during the call, what goes out is freed with free().

/// A value that C holds.
package final class Box<Value: Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }
}

/// A pointer with a reference of its own.
package func retained(_ object: some AnyObject) -> UnsafeMutableRawPointer {
    Unmanaged.passRetained(object).toOpaque()
}

/// What a pointer points to; whoever gave it keeps its reference.
package func object<Object: AnyObject>(_ pointer: UnsafeRawPointer, as type: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(pointer).takeUnretainedValue()
}

/// What is in the box that a pointer points to.
package func boxed<Value: Sendable>(_ pointer: UnsafeRawPointer, as type: Value.Type) -> Value {
    object(pointer, as: Box<Value>.self).value
}

/// Text from C; nil for no pointer.
package func optionalText(_ text: UnsafePointer<CChar>?) -> String? {
    text.map { String(cString: $0) }
}

/// Text from C; empty for no pointer, for the server to say what is missing.
package func text(_ text: UnsafePointer<CChar>?) -> String {
    optionalText(text) ?? ""
}

/// Text for C; nil when there is none, and for text that C would cut short at a NUL.
package func copied(_ text: String?) -> UnsafeMutablePointer<CChar>? {
    text.flatMap { $0.utf8.contains(0) ? nil : strdup($0) }
}

/// A URL from C. Text that Foundation does not take for one goes on percent-encoded, for the server to refuse.
package func url(_ text: UnsafePointer<CChar>?) -> URL? {
    optionalText(text).flatMap { URL(string: $0) ?? URL(string: percentEncoded($0)) }
}

/// Gives a reference back.
@_cdecl("homing_release")
package func homingRelease(_ pointer: UnsafeRawPointer) {
    Unmanaged<AnyObject>.fromOpaque(pointer).release()
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

/// Small objects that a row keeps as text. Our own JSON reads and writes them in a tenth of Foundation's time, which
/// counts where one thread does the work for everybody's mail.
extension JSON.Object {
    package var stored: String { String(decoding: JSON.object(self).write(pretty: false), as: UTF8.self) }

    /// - Throws: ``JSONFault`` when the row does not hold an object.
    package init(stored text: String) throws(JSONFault) {
        guard let object = try JSON.parse(text.utf8).objectValue else {
            throw JSONFault(reason: .unexpectedByte, offset: 0)
        }
        self = object
    }
}

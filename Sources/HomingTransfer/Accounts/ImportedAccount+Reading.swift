// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

extension ImportedAccount {
    /// Sets the address as the operator wants this file read (``setEmail(_:orName:orWithout:)``).
    mutating func setEmail(
        _ text: String?, orName name: String? = nil, for reading: AccountReading
    ) throws(Fault) {
        try setEmail(text, orName: name, orWithout: reading.takesWithoutAddress)
    }

    /// Sets the password as the operator wants this file read (``set(_:askingLater:orWithout:)``).
    mutating func set(_ password: Result<ImportedPassword?, Fault>, for reading: AccountReading) throws(Fault) {
        try set(password, askingLater: reading.oldSystem != nil, orWithout: reading.takesWithoutPassword)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

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

    /// Does what only says more about the person. Where that cannot be kept it is left out of a file and counted.
    private mutating func keep(
        _ name: String, orRefuse isNeeded: Bool, _ change: (inout ImportedAccount) throws(Fault) -> Void
    ) throws(Fault) {
        do throws(Fault) {
            try change(&self)
        } catch {
            guard !isNeeded else { throw error }
            notKept.append(name)
        }
    }

    /// Sets a text. One that may carry permissions is never left out.
    mutating func set(
        _ text: AccountText, for reading: AccountReading, _ value: () throws(Fault) -> String?
    ) throws(Fault) {
        try keep(text.member, orRefuse: text.mayPermit || !reading.isFile) {
            (person: inout ImportedAccount) throws(Fault) in
            try person.set(text, to: try value())
        }
    }

    /// Sets all texts, where the file calls them as Homing does.
    ///
    /// - Parameter value: what the file has under a name.
    mutating func setTexts(
        for reading: AccountReading, _ value: (String) throws(Fault) -> String?
    ) throws(Fault) {
        for text in AccountText.all {
            try set(text, for: reading) { () throws(Fault) in try value(text.member) }
        }
    }

    mutating func setCreation(
        for reading: AccountReading, _ value: () throws(Fault) -> Moment?
    ) throws(Fault) {
        try keep("createdAt", orRefuse: !reading.isFile) { (person: inout ImportedAccount) throws(Fault) in
            person.createdAt = try value()
        }
    }

    mutating func setLastSignIn(
        for reading: AccountReading, _ value: () throws(Fault) -> Moment?
    ) throws(Fault) {
        try keep("lastSignedInAt", orRefuse: !reading.isFile) { (person: inout ImportedAccount) throws(Fault) in
            person.lastLoginAt = try value()
        }
    }

    /// Keeps a phone number that the system writes in its own way (``keepPhoneNumber(_:)``).
    mutating func setPhoneNumber(
        for reading: AccountReading, _ value: () throws(Fault) -> String?
    ) throws(Fault) {
        try keep(AccountText.phoneNumber.member, orRefuse: !reading.isFile) {
            (person: inout ImportedAccount) throws(Fault) in
            person.keepPhoneNumber(try value())
        }
    }

    /// Adds an identity with another provider.
    mutating func link(_ entry: JSON.Object, for reading: AccountReading) throws(Fault) {
        try keep("providerUserInfo", orRefuse: !reading.isFile) {
            (person: inout ImportedAccount) throws(Fault) in
            try person.link(entry)
        }
    }
}

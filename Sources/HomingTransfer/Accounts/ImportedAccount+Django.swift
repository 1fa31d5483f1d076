// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

extension ImportedAccount {
    /// An object of `manage.py dumpdata auth.user`, or of a model of one's own with the same fields
    /// (https://docs.djangoproject.com/en/stable/ref/contrib/auth/#user-model).
    ///
    /// Django itself does not know whether an address is proven: it counts as not proven.
    init(django object: AccountRecord, _ reading: AccountReading) throws(Fault) {
        try self.init(id: try object.text("pk"), named: "pk")
        let user = try object.record("fields")
        let username = try user.text("username")
        try setEmail(try user.text("email"), orName: username, for: reading)
        let hash = try user.text("password")
        try set(Result { () throws(Fault) in try .django(hash) }, for: reading)
        try set(.displayName, for: reading) { () throws(Fault) in try user.name("first_name", "last_name") }
        try setCreation(for: reading) { () throws(Fault) in try user.moment("date_joined") }
        try setLastSignIn(for: reading) { () throws(Fault) in try user.moment("last_login") }
        isDisabled = try user.flag("is_active") == false
        if let username, !ASCII.areEqual(ASCII.lowercased(username), email?.text ?? "") {
            notKept.append("username")
        }
        for name in ["is_staff", "is_superuser"] where try user.flag(name) == true { notKept.append(name) }
        for name in ["groups", "user_permissions"] where user.value(name) != nil { notKept.append(name) }
    }
}

extension AccountRecord {
    /// Whether an object of `dumpdata` is a user: of Django's own model, or of one with a password and an address.
    var isDjangoUser: Bool {
        guard case .string(let model)? = value("model"), !model.utf8.elementsEqual("auth.user".utf8) else {
            return true
        }
        guard case .object(let fields)? = value("fields") else { return false }
        return fields["password"] != nil && fields["email"] != nil
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingPasswords
package import HomingProjects
package import HomingStore

extension Project {
    /// Refuses a new password that breaks a rule, before anything is hashed. Present passwords are not checked.
    ///
    /// - Parameter addresses: the person's present address and the new one.
    package func check(newPassword password: String, of addresses: EmailAddress?...) throws(Refusal) {
        let policy = settings.passwordPolicy
        try policy.check(password)
        guard policy.refusesGuessable else { return }
        let weakness = PasswordWeakness.found(in: password, of: addresses.compactMap(\.self), app: name)
        if let weakness { throw .weakPassword(weakness) }
    }
}

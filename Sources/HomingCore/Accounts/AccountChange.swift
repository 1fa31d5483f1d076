// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// The changes that a caller wants in an account; a nil property stays as it is.
package struct AccountChange: Sendable {
    /// A field that gets a value, or becomes empty.
    package enum Field<Value: Sendable>: Sendable {
        case set(Value)
        case clear
    }

    package var email: Field<EmailAddress>?
    package var password: Field<String>?
    package var displayName: Field<String>?
    package var photoURL: Field<String>?
    package var isEmailVerified: Bool?
    package var isDisabled: Bool?
    package var customAttributes: Field<String>?
    /// Seconds.
    package var validSince: Int64?
    package var createdAt: Moment?
    package var lastLoginAt: Moment?
    package var phoneNumber: Field<String>?
    package var newIdentity: AccountIdentity?
    /// The providers whose identities go.
    package var endedProviders: [String] = []

    package init() {}

    var newEmail: EmailAddress? {
        guard case .set(let address)? = email else { return nil }
        return address
    }

    /// Whether the change ends the tokens that were made before: with a new password, or another address.
    func endsSessions(of account: Account) -> Bool {
        if case .set? = password { return true }
        return newEmail.map { $0 != account.email } ?? false
    }

    /// Whether somebody will sign in otherwise than before.
    func changesCredentials(of account: Account) -> Bool {
        if endsSessions(of: account) { return true }
        if case .clear? = password, account.passwordHash != nil { return true }
        if case .clear? = email, account.email != nil { return true }
        return false
    }

    /// Sets the address as not proven; without an address there is no sign-in by link.
    func applyAddress(to account: inout Account) {
        switch email {
        case .set(let address)? where address != account.email:
            account.email = address
            account.isEmailVerified = false
        case .clear?:
            account.email = nil
            account.isEmailVerified = false
            account.usesEmailLink = false
        default: break
        }
    }

    /// - Parameter hash: the hash of the new password.
    func applyPassword(_ hash: String?, to account: inout Account, at now: Moment) {
        if password != nil { account.setPassword(hash, at: now) }
    }

    func applyPlainFields(to account: inout Account) {
        Self.apply(displayName, to: &account.displayName)
        Self.apply(photoURL, to: &account.photoURL)
        Self.apply(customAttributes, to: &account.customAttributes)
        if let isEmailVerified { account.isEmailVerified = isEmailVerified }
        if let isDisabled { account.isDisabled = isDisabled }
        if let validSince { account.validSince = validSince }
        if let createdAt { account.createdAt = createdAt }
        if let lastLoginAt { account.lastLoginAt = lastLoginAt }
        Self.apply(phoneNumber, to: &account.phoneNumber)
        for provider in endedProviders { account.unlink(provider) }
        if let newIdentity { account.link(newIdentity) }
    }

    private static func apply(_ field: Field<String>?, to value: inout String?) {
        switch field {
        case .set(let new)?: value = new
        case .clear?: value = nil
        case nil: break
        }
    }
}

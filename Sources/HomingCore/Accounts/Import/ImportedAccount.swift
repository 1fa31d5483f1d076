// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingPasswords
package import HomingStore
package import HomingWire

/// One account as another system has exported it, checked.
package struct ImportedAccount: Sendable {
    package let id: AccountID
    package var email: EmailAddress?
    package var isEmailVerified = false
    package private(set) var password: ImportedPassword?
    package var hasPassword: Bool { password != nil }
    /// How the hash of the password was made; nil without one, and for Homing's own.
    package var scheme: PasswordScheme? { password?.scheme }
    /// By their members.
    private var texts: [String: String] = [:]
    package var displayName: String? { self[.displayName] }
    package var photoURL: String? { self[.photoURL] }
    package var customAttributes: String? { self[.customAttributes] }
    /// Data only, as in ``Account``.
    package var phoneNumber: String? { self[.phoneNumber] }
    package var createdAt: Moment?
    package var lastLoginAt: Moment?
    package var isDisabled = false
    /// Whether a mailed link has ever signed in, and the first address that the account ever had, of another Homing.
    package var usesEmailLink = false
    package var initialEmail: String?
    package private(set) var identities: [AccountIdentity] = []
    package var usesCustomTokens = false
    /// The tenant that it was in, of which it has to be here.
    package var tenant: TenantID?
    /// Whether there was an address that was not taken.
    package private(set) var hasLostAddress = false
    /// What the account has and Homing does not keep, such as `mfaInfo`.
    package var notKept: [String] = []

    /// Why a row is not taken, in the words of Identity Toolkit where it has some.
    package struct Fault: Error, Hashable, CustomStringConvertible {
        package let description: String
        /// The account that is in the way.
        package let other: AccountID?

        package init(_ description: String, other: AccountID? = nil) {
            self.description = description
            self.other = other
        }

        /// Another account has the address.
        package static func emailExists(of other: AccountID?) -> Fault {
            Fault("email exists in other account in database", other: other)
        }

        /// Whether another account has the address, or this one is here with another: without its address it may be
        /// taken.
        package var isAboutAddress: Bool {
            self == .alreadyHere || description == Fault.emailExists(of: nil).description
        }

        package static let otherAddress = Fault(
            "localId belongs to an existing account with another address, which an import does not change")
        package static let phoneNumberExists = Fault("phone number exists in other account in database")
        package static let identityExists = Fault("raw id exists in other account in database")
        package static let otherTenant = Fault("Tenant id in userInfo does not match the tenant id in request.")
        package static let wantsOldSystem = Fault(
            "an old system verifies the password: name it with --verify-with (--without-passwords takes the account without it)"
        )
        package static let alreadyHere = Fault("localId belongs to an existing account - can not overwrite.")
    }

    /// - Parameter name: what the other system calls an id.
    package init(id: String?, named name: String = "localId") throws(Fault) {
        guard let id, !id.isEmpty else { throw Fault("\(name) is missing") }
        self.id = AccountID(id)
        guard self.id.isWellFormed else {
            throw Fault("\(name) has more than 128 bytes, or control characters")
        }
    }

    /// Sets the address.
    ///
    /// - Parameter name: what the person signs in with, which some systems allow to be the address. Nobody has proven
    ///   it.
    /// - Throws: a fault of an address that is none, unless accounts are taken without theirs.
    package mutating func setEmail(
        _ text: String?, orName name: String? = nil, orWithout isOptional: Bool
    ) throws(Fault) {
        guard let text, !text.isEmpty else { return email = name.flatMap { try? EmailAddress(parsing: $0) } }
        if let address = try? EmailAddress(parsing: text) {
            email = address
        } else {
            guard isOptional else { throw Fault("email is invalid") }
            dropAddress()
        }
    }

    /// Leaves the address to somebody else. The password stays for the day on which a back end gives the account
    /// another one; an old system can be asked about addresses only.
    package mutating func dropAddress() {
        email = nil
        hasLostAddress = true
        if scheme?.oldSystem != nil { password = nil }
        notKept.append("email")
    }

    /// Sets the password, unless it is one that Homing cannot verify.
    ///
    /// - Throws: why not, where an account without its password is not wanted.
    package mutating func set(
        _ password: Result<ImportedPassword?, Fault>, askingLater isAskedLater: Bool, orWithout isOptional: Bool
    ) throws(Fault) {
        switch password {
        case .success(let password): self.password = password
        case .failure(let fault):
            // The old system verifies it.
            guard !isAskedLater else { return }
            guard isOptional else { throw fault }
            notKept.append("password")
        }
    }

    /// Has an old system asked about the password.
    package mutating func setPassword(of oldSystem: OldSystem) {
        password = .foreign(.oldSystem(oldSystem), salt: [], hash: [])
    }

    package private(set) subscript(text: AccountText) -> String? {
        get { texts[text.member] }
        set { texts[text.member] = newValue }
    }

    /// Sets a text, unless there is none.
    package mutating func set(_ text: AccountText, to value: String?) throws(Fault) {
        guard let value, !value.isEmpty else { return }
        self[text] = try text.checked(value)
    }

    /// Keeps a phone number of a system that writes them in its own way, with the plus sign or without; counts one that
    /// cannot be understood.
    package mutating func keepPhoneNumber(_ text: String?) {
        guard let text, !text.isEmpty else { return }
        let isBare = text.utf8.allSatisfy(ASCII.isDigit)
        self[.phoneNumber] = try? PhoneNumber.parse(isBare ? "+\(text)" : text)
        if phoneNumber == nil { notKept.append("phoneNumber") }
    }

    /// Keeps the phone number that stands in `providerUserInfo` alone; counts one that cannot be understood.
    package mutating func keepPhoneNumber(ofProvider entry: JSON.Object) {
        guard phoneNumber == nil else { return }
        let texts = ["phoneNumber", "rawId", "federatedId"].lazy.compactMap { entry[$0]?.stringValue }
        if let text = texts.first(where: { !$0.isEmpty }) { keepPhoneNumber(text) }
    }

    /// Adds the account's identity with another provider. Of one provider the last one stays.
    package mutating func link(_ entry: JSON.Object) throws(Fault) {
        do throws(Refusal) {
            guard let identity = try AccountIdentity(entry) else { return }
            identities.removeAll { $0.provider.utf8.elementsEqual(identity.provider.utf8) }
            identities.append(identity)
        } catch {
            throw Fault("federatedId or (providerId & rawId) is required")
        }
    }

    /// - Throws: a fault of claims that are too large, reserved or no object. They may carry permissions, so that
    ///   nobody comes without theirs.
    package static func checkClaims(_ text: String) throws(Fault) {
        do {
            try CustomClaims.check(text)
        } catch .claimsTooLarge {
            throw Fault("Custom claims provided are too large.")
        } catch .forbiddenClaim {
            throw Fault("Custom claims provided include a reserved claim.")
        } catch {
            throw Fault("Invalid custom claims provided.")
        }
    }

    package static func moment(_ text: String?) throws(Fault) -> Moment? {
        guard let text, !text.isEmpty else { return nil }
        guard let milliseconds = Int64(text), (0...253_402_300_799_999).contains(milliseconds) else {
            throw Fault("a time is not in milliseconds since 1970")
        }
        return Moment(milliseconds: milliseconds)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a password is no good, whatever characters it is made of.
package enum PasswordWeakness: Sendable, Equatable, CaseIterable {
    case empty
    case short
    /// One of the 3,000 that people use most.
    case common
    /// The person's own address, or what stands before the `@` in it.
    case address
    /// What the app is called.
    case appName

    /// As clients show it; nothing to say of an empty one.
    package var sentence: String? {
        switch self {
        case .empty: nil
        case .short: "Password should be at least 6 characters"
        case .common: "Password should not be one of the most common ones"
        case .address: "Password should not be the email address"
        case .appName: "Password should not be the name of the app"
        }
    }

    /// What somebody who wants to get in tries first.
    ///
    /// The address and the name count however they are spelled: in upper or lower case, with or without spaces, dots and
    /// the like. A password that has anything else in it is another one, and names of fewer than four letters and digits
    /// are none to compare with: nobody is refused a password for a few letters that it shares with a name.
    package static func found(
        in password: String, of addresses: [EmailAddress], app: String
    ) -> PasswordWeakness? {
        if CommonPasswords.contains(password) { return .common }
        let spelled = lettersAndDigits(password)
        guard spelled.count >= shortestName else { return nil }
        if addresses.contains(where: { [lettersAndDigits($0.text), lettersAndDigits($0.local)].contains(spelled) }) {
            return .address
        }
        return lettersAndDigits(app) == spelled ? .appName : nil
    }

    private static let shortestName = 4

    private static func lettersAndDigits(_ text: some StringProtocol) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
            .flatMap(\.properties.lowercaseMapping.unicodeScalars)
    }
}

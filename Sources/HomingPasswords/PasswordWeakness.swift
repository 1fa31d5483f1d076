// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// A reason why a password is weak, whatever characters it has.
package enum PasswordWeakness: Sendable, Equatable, CaseIterable {
    case empty
    case short
    /// One of the 3,000 passwords that people use most.
    case common
    /// The person's own address, or the part of it before the `@`.
    case address
    /// The name of the app.
    case appName

    /// The sentence that clients show; nil for an empty password.
    package var sentence: String? {
        switch self {
        case .empty: nil
        case .short: "Password should be at least 6 characters"
        case .common: "Password should not be one of the most common ones"
        case .address: "Password should not be the email address"
        case .appName: "Password should not be the name of the app"
        }
    }

    /// Finds a password that an attacker tries first.
    ///
    /// The address and the name count however they are spelled: in upper or lower case, with or without spaces, dots
    /// and the like. A password with anything else in it does not match, and names of fewer than four letters and
    /// digits are not compared: nobody is refused a password for a few letters that it shares with a name.
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

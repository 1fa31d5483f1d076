// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// A project's rules for a new password (`/v2/passwordPolicy`, schema version 1).
package struct PasswordPolicy: Sendable, Equatable {
    /// The greatest length in bytes of UTF-8; longer passwords are refused before any hashing.
    package static let mostBytes = 1024

    package let isEnforced: Bool
    /// In Unicode scalars; `count` would take a letter with a thousand accents for one.
    package let minimumLength: Int
    package let maximumLength: Int
    package let needsLowercase: Bool
    package let needsUppercase: Bool
    package let needsDigit: Bool
    package let needsSymbol: Bool
    /// Whether a person may not choose a guessable password, even where the policy is not enforced.
    package let refusesGuessable: Bool

    package init(
        isEnforced: Bool = true, minimumLength: Int = 6, maximumLength: Int = 1024, needsLowercase: Bool = false,
        needsUppercase: Bool = false, needsDigit: Bool = false, needsSymbol: Bool = false,
        refusesGuessable: Bool = true
    ) {
        self.isEnforced = isEnforced
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.needsLowercase = needsLowercase
        self.needsUppercase = needsUppercase
        self.needsDigit = needsDigit
        self.needsSymbol = needsSymbol
        self.refusesGuessable = refusesGuessable
    }

    /// The rules that a person is shown.
    package var rules: [PasswordRule] {
        characterRules + (refusesGuessable ? [.hardToGuess] : [])
    }

    private var characterRules: [PasswordRule] {
        var rules: [PasswordRule] = [.minimumLength(isEnforced ? minimumLength : 6)]
        guard isEnforced else { return rules }
        if maximumLength < Self.mostBytes { rules.append(.maximumLength(maximumLength)) }
        if needsLowercase { rules.append(.lowercase) }
        if needsUppercase { rules.append(.uppercase) }
        if needsDigit { rules.append(.digit) }
        if needsSymbol { rules.append(.symbol) }
        return rules
    }

    /// Refuses a password that breaks a rule about its characters, before anything is hashed.
    package func check(_ password: String) throws(Refusal) {
        guard !password.isEmpty else { throw .weakPassword(.empty) }
        guard password.utf8.count <= Self.mostBytes else { throw .passwordTooLong }
        let rules = characterRules
        guard password.unicodeScalars.count >= 6 || rules != [.minimumLength(6)] else { throw .weakPassword(.short) }
        let unmet = rules.filter { !Self.satisfies(password, $0) }
        guard unmet.isEmpty else { throw .passwordRequirements(unmet) }
    }

    private static func satisfies(_ password: String, _ rule: PasswordRule) -> Bool {
        let bytes = password.utf8
        return switch rule {
        case .minimumLength(let length): password.unicodeScalars.count >= length
        case .maximumLength(let length): password.unicodeScalars.count <= length
        case .lowercase: bytes.contains(where: ASCII.isLowercaseLetter)
        case .uppercase: bytes.contains(where: ASCII.isUppercaseLetter)
        case .digit: bytes.contains { ASCII.isDigit($0) }
        // As on the page: a symbol is anything but an ASCII letter or digit.
        case .symbol: bytes.contains { !ASCII.isLetterOrDigit($0) }
        // The characters do not tell.
        case .hardToGuess: true
        }
    }

    /// Firebase's default list of characters that count as special.
    package static let symbols = Set("^$*.[]{}()?\"!@#%&/\\,><':;|_~`-+=".utf8)
}

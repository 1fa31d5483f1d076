// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

/// How a password stands to the project's rules: the answer of ``Auth/validatePassword(_:)``.
public struct PasswordValidation: Sendable, Equatable {
    /// Whether it has the fewest characters that are asked for.
    public let meetsMinPasswordLength: Bool
    /// Whether it has no more characters than are taken.
    public let meetsMaxPasswordLength: Bool
    /// Whether it has a small letter of ASCII, or needs none.
    public let containsLowercaseLetter: Bool
    /// Whether it has a capital letter of ASCII, or needs none.
    public let containsUppercaseLetter: Bool
    /// Whether it has a digit, or needs none.
    public let containsNumericCharacter: Bool
    /// Whether it has another character, or needs none.
    public let containsNonAlphanumericCharacter: Bool

    /// Whether it keeps every rule. The server may refuse it all the same, as one that everybody knows.
    public var isValid: Bool {
        meetsMinPasswordLength && meetsMaxPasswordLength && containsLowercaseLetter && containsUppercaseLetter
            && containsNumericCharacter && containsNonAlphanumericCharacter
    }

    init(_ password: String, _ rules: JSON.Object) {
        let length = password.unicodeScalars.count
        func most(_ name: String) -> Int? { rules[name]?.integerValue.flatMap(Int.init(exactly:)) }
        func meets(_ name: String, _ isOne: (UInt8) -> Bool) -> Bool {
            rules["contains\(name)Character"]?.boolValue != true || password.utf8.contains(where: isOne)
        }
        let isLower: (UInt8) -> Bool = { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        let isUpper: (UInt8) -> Bool = { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        let isDigit: (UInt8) -> Bool = { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        meetsMinPasswordLength = length >= most("minPasswordLength") ?? 0
        meetsMaxPasswordLength = length <= most("maxPasswordLength") ?? .max
        containsLowercaseLetter = meets("Lowercase") { isLower($0) }
        containsUppercaseLetter = meets("Uppercase") { isUpper($0) }
        containsNumericCharacter = meets("Numeric") { isDigit($0) }
        containsNonAlphanumericCharacter = meets("NonAlphanumeric") { !isLower($0) && !isUpper($0) && !isDigit($0) }
    }
}

extension Auth {
    /// Holds a password against the rules of the project, or of ``tenantID``. It does not leave the device.
    public func validatePassword(_ password: String) async throws(HomingAuthError) -> PasswordValidation {
        try await validate(password, in: tenantID)
    }

    private func validate(_ password: String, in tenant: String?) async throws(HomingAuthError) -> PasswordValidation {
        PasswordValidation(password, try await backend.passwordRules(of: tenant))
    }

    /// ``validatePassword(_:)`` with a completion handler.
    public func validatePassword(
        _ password: String, completion: @escaping (PasswordValidation?, (any Error)?) -> Void
    ) {
        let tenant = tenantID
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.validate(password, in: tenant) }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    package static let passwordTooLong = Refusal(
        Code("PASSWORD_TOO_LONG", says: "WEAK_PASSWORD"),
        "Password should be at most \(PasswordPolicy.mostBytes) bytes")

    /// Its cause is the ``PasswordWeakness``.
    package static func weakPassword(_ weakness: PasswordWeakness) -> Refusal {
        Refusal(.weakPassword, weakness.sentence ?? "", cause: weakness)
    }

    /// Its cause is the rules, as an array of ``PasswordRule``.
    package static func passwordRequirements(_ rules: [PasswordRule]) -> Refusal {
        let sentences = rules.map(\.sentence).joined(separator: ", ")
        return Refusal(.passwordRequirements, "Missing password requirements: [\(sentences)]", cause: rules)
    }

    /// Rules for passwords that contradict each other.
    package static func impossiblePolicy(_ policy: PasswordPolicy) -> Refusal {
        .invalidSetting(
            "no password is at least \(policy.minimumLength) and at most \(policy.maximumLength) characters long: "
                + "passwordPolicyConfig.minPasswordLength and maxPasswordLength")
    }
}

extension Refusal.Code {
    package static let weakPassword: Self = "WEAK_PASSWORD"
    package static let passwordRequirements: Self = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS"
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `GET /v1/projects`: the part of a project that a client app may read.
    static func projectConfig(_ context: ProjectContext) async throws -> JSON { projectConfig(of: context.project) }

    static func projectConfig(of project: Project) -> JSON {
        .object([
            ("projectId", .string(project.number)), ("apiKey", .string(project.linkKey)),
            ("allowPasswordUser", project.settings.allowsEmail ? true : nil),
            ("enableAnonymousUser", project.settings.allowsAnonymous ? true : nil),
            ("authorizedDomains", .array(project.authorizedDomains.map { .string($0.text) })),
            ("dynamicLinksDomain", project.defaultLinkDomain.map { .string($0.text) }),
            ("useEmailSending", true),
        ])
    }

    /// `GET /v2/recaptchaConfig`: no call needs a reCAPTCHA. SDKs read the key's name, even if they do not need it.
    static func recaptchaConfig(_ context: ProjectContext) async throws -> JSON {
        if try context.fields.text("clientType") == nil { throw Refusal.missingClientType }
        if try context.fields.text("version") == nil { throw Refusal.missingRecaptchaVersion }
        let providers = ["EMAIL_PASSWORD_PROVIDER", "PHONE_PROVIDER"].map { name in
            JSON.object([("provider", .string(name)), ("enforcementState", "OFF")])
        }
        return .object([
            ("recaptchaKey", .string("projects/\(context.project.number)/keys/none")),
            ("recaptchaEnforcementState", .array(providers)),
        ])
    }

    /// `GET /v2/passwordPolicy`, schema version 1.
    static func passwordPolicy(_ context: ProjectContext) async throws -> JSON {
        let policy = context.project.settings.passwordPolicy
        let symbols = PasswordPolicy.symbols.sorted().map { JSON.string(String(UnicodeScalar($0))) }
        return .object([
            (
                "customStrengthOptions",
                .object([
                    ("minPasswordLength", .int(Int64(policy.minimumLength))),
                    ("maxPasswordLength", .int(Int64(policy.maximumLength))),
                    ("containsLowercaseCharacter", policy.needsLowercase ? true : nil),
                    ("containsUppercaseCharacter", policy.needsUppercase ? true : nil),
                    ("containsNumericCharacter", policy.needsDigit ? true : nil),
                    ("containsNonAlphanumericCharacter", policy.needsSymbol ? true : nil),
                ])
            ),
            ("schemaVersion", 1), ("allowedNonAlphanumericCharacters", .array(symbols)),
            ("enforcementState", policy.isEnforced ? "ENFORCE" : "OFF"),
            ("forceUpgradeOnSignin", context.project.settings.forcesPasswordUpgrade ? true : nil),
        ])
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The settings of a project. The emulator heeds two of them and keeps the others.
struct ProjectConfig {
    private static let objects = [
        "blockingFunctions", "client", "emailPrivacyConfig", "mfa", "mobileLinksConfig", "monitoring", "multiTenant",
        "notification", "passwordPolicyConfig", "quota", "recaptchaConfig", "signIn", "smsRegionConfig",
    ]
    private static let start = JSON.Object([
        ("signIn", ["allowDuplicateEmails": false]), ("blockingFunctions", [:]),
        ("emailPrivacyConfig", ["enableImprovedEmailPrivacy": false]),
    ])
    /// What a request without a mask replaces; Firebase's emulator leaves other settings as they are, too.
    private static let replaced = FieldMask(
        "signIn.allowDuplicateEmails,blockingFunctions,emailPrivacyConfig.enableImprovedEmailPrivacy")

    private(set) var document = start

    mutating func change(by body: Body, _ mask: FieldMask) throws(Fault) {
        try body.check(flags: ["autodeleteAnonymousUsers"], lists: ["authorizedDomains"], objects: Self.objects)
        _ = try body.body("signIn")?.bool("allowDuplicateEmails")
        _ = try body.body("emailPrivacyConfig")?.bool("enableImprovedEmailPrivacy")
        if mask.isEmpty { try Self.replaced.apply(Body(Self.start), to: &document) }
        try (mask.isEmpty ? Self.replaced : mask).apply(body, to: &document)
    }

    // MARK: What the emulator heeds

    var allowsDuplicateEmails: Bool { isOn("signIn", "allowDuplicateEmails") }
    var hidesAddresses: Bool { isOn("emailPrivacyConfig", "enableImprovedEmailPrivacy") }

    private func isOn(_ member: String, _ name: String) -> Bool {
        document[member]?.objectValue?.isOn(name) ?? false
    }
}

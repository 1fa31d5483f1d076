// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The settings of a tenant. The emulator heeds the switches and keeps the others; in a project everything is on.
struct Tenant {
    private static let switches = [
        "allowPasswordSignup", "enableEmailLinkSignin", "enableAnonymousUser", "disableAuth",
    ]
    private static let objects = [
        "client", "emailPrivacyConfig", "hashConfig", "inheritance", "mfaConfig", "mobileLinksConfig", "monitoring",
        "passwordPolicyConfig", "recaptchaConfig", "smsRegionConfig", "testPhoneNumbers",
    ]

    private(set) var document = JSON.Object()

    /// A tenant of what a request has: off is what it does not switch on.
    init(_ body: Body) throws(Fault) {
        try Self.check(body)
        if let name = try body.string("displayName") { document["displayName"] = .string(name) }
        for name in Self.switches { document[name] = .bool(try body.bool(name) ?? false) }
        for name in ["autodeleteAnonymousUsers"] + Self.objects { document[name] = try body.value(name) }
        var factors = document["mfaConfig"]?.objectValue ?? JSON.Object()
        factors["state"] = factors["state"] ?? "DISABLED"
        factors["enabledProviders"] = factors["enabledProviders"] ?? []
        document["mfaConfig"] = .object(factors)
    }

    private init(_ members: [(String, JSON)]) { document = JSON.Object(members) }

    /// A tenant that somebody names and nobody has made.
    static let mentioned = Tenant([
        ("allowPasswordSignup", true), ("enableEmailLinkSignin", true), ("enableAnonymousUser", true),
        ("disableAuth", false), ("mfaConfig", ["state": "ENABLED", "enabledProviders": ["PHONE_SMS"]]),
    ])

    mutating func change(by body: Body, _ mask: FieldMask) throws(Fault) {
        try Self.check(body)
        try mask.apply(body, to: &document)
    }

    private static func check(_ body: Body) throws(Fault) {
        try body.check(flags: switches + ["autodeleteAnonymousUsers"], texts: ["displayName"], objects: objects)
    }

    // MARK: What the emulator heeds

    var allowsPasswords: Bool { document.isOn("allowPasswordSignup") }
    var allowsEmailLinks: Bool { document.isOn("enableEmailLinkSignin") }
    var allowsAnonymous: Bool { document.isOn("enableAnonymousUser") }
    var isDisabled: Bool { document.isOn("disableAuth") }
}

extension JSON.Object {
    /// Whether a switch is on.
    func isOn(_ name: String) -> Bool { self[name] == true }
}

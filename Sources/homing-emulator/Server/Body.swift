// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// The members of a request's body, each read as its required type.
///
/// Both spellings of a name are accepted (`idToken`, `id_token`), numbers are taken for texts, and unknown names are
/// ignored; `null` counts as absent.
struct Body {
    private let object: JSON.Object
    /// Where the object stands in the request, with a slash before each name.
    private let path: String

    init(_ object: JSON.Object = JSON.Object(), at path: String = "") {
        self.object = object
        self.path = path
    }

    func value(_ name: String) throws(Fault) -> JSON? {
        do {
            let value = try object.field(name)
            return value == .null ? nil : value
        } catch {
            throw Fault.payload(error.description)
        }
    }

    func has(_ name: String) throws(Fault) -> Bool { try value(name) != nil }

    func string(_ name: String) throws(Fault) -> String? {
        guard let value = try value(name) else { return nil }
        guard let text = Self.text(value) else { throw mismatch(name, "string") }
        return text
    }

    /// A string; an empty one counts as absent.
    func text(_ name: String) throws(Fault) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        return text
    }

    func bool(_ name: String) throws(Fault) -> Bool? {
        guard let value = try value(name) else { return nil }
        guard let flag = value.boolValue else { throw mismatch(name, "boolean") }
        return flag
    }

    func integer(_ name: String) throws(Fault) -> Int64? {
        guard let value = try value(name) else { return nil }
        guard let number = value.integerValue ?? value.stringValue.flatMap({ Int64($0) }) else {
            throw mismatch(name, "integer")
        }
        return number
    }

    func body(_ name: String) throws(Fault) -> Body? {
        guard let value = try value(name) else { return nil }
        guard let inner = value.objectValue else { throw mismatch(name, "object") }
        return Body(inner, at: "\(path)/\(name)")
    }

    func array(_ name: String) throws(Fault) -> [JSON]? {
        guard let value = try value(name) else { return nil }
        guard let items = value.arrayValue else { throw mismatch(name, "array") }
        return items
    }

    func strings(_ name: String) throws(Fault) -> [String] {
        var texts: [String] = []
        for item in try array(name) ?? [] {
            guard let text = Self.text(item) else { throw mismatch("\(name)/\(texts.count)", "string") }
            texts.append(text)
        }
        return texts
    }

    func bodies(_ name: String) throws(Fault) -> [Body]? {
        guard let items = try array(name) else { return nil }
        var bodies: [Body] = []
        for item in items {
            guard let inner = item.objectValue else { throw mismatch("\(name)/\(bodies.count)", "object") }
            bodies.append(Body(inner, at: "\(path)/\(name)/\(bodies.count)"))
        }
        return bodies
    }

    /// Checks the types of all members that operations know, before one of them is looked at.
    ///
    /// - Parameter lists: the members that are lists in this operation and texts in others.
    func checkTypes(lists: Set<String>) throws(Fault) {
        for name in Self.texts where !lists.contains(name) { _ = try string(name) }
        for name in Self.flags { _ = try bool(name) }
        for name in Self.lists.union(lists) { _ = try array(name) }
        for name in ["mfa", "linkProviderUserInfo"] { _ = try body(name) }
    }

    /// Checks the types of a settings document's own members; what stands deeper is kept as it is.
    func check(
        flags: [String], texts: [String] = [], lists: [String] = [], objects: [String]
    ) throws(Fault) {
        for name in flags { _ = try bool(name) }
        for name in texts { _ = try string(name) }
        for name in lists { _ = try array(name) }
        for name in objects { _ = try body(name) }
    }

    private static let texts = [
        "email", "password", "newPassword", "newEmail", "oobCode", "idToken", "localId", "displayName", "photoUrl",
        "phoneNumber", "continueUrl", "continueUri", "identifier", "token", "tenantId", "targetProjectId",
        "customAttributes", "requestType", "refreshToken", "grantType", "captchaChallenge", "captchaResponse",
        "iOSBundleId", "iOSAppStoreId", "androidPackageName", "androidMinimumVersion", "dynamicLinkDomain",
        "linkDomain", "clientType", "recaptchaVersion", "createdAt", "lastLoginAt", "validSince", "validDuration",
        "sessionId",
        "providerId", "pendingIdToken", "userIp",
    ]
    private static let flags = [
        "returnSecureToken", "returnOobLink", "canHandleCodeInApp", "emailVerified", "disableUser", "disabled", "force",
        "sanityCheck", "allowOverwrite", "returnUserInfo", "androidInstallApp", "upgradeToFederatedLogin",
    ]
    private static let lists: Set<String> = [
        "deleteAttribute", "deleteProvider", "users", "localIds", "expression", "federatedUserId", "mfaInfo",
    ]

    /// A name of an enumeration, also where the request gives its number.
    func name(_ name: String, of names: [String]) throws(Fault) -> String? {
        guard let text = try string(name) else { return nil }
        let found = Int(text).flatMap { names.indices.contains($0) ? names[$0] : nil } ?? text
        guard names.contains(found) else { throw mismatch(name, "equal to one of the allowed values") }
        return found
    }

    private static func text(_ value: JSON) -> String? { value.stringValue ?? value.integerValue.map { String($0) } }

    private func mismatch(_ name: String, _ type: String) -> Fault {
        .payload("\(path)/\(name) must be \(type)")
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
package import HomingCore
import HomingLinkRules
package import HomingPasswords
package import HomingStore
import HomingWire

/// Writes accounts as `firebase auth:export` does, a page at a time, so that ``AccountExportReader`` reads them back
/// without loss.
///
/// The JSON has two things more. `hashConfigs` says how hashes were made, in the words of a file of parameters, and
/// each account with a hash names one of them as its `hashConfig`; so does one without, whose password an old system
/// verifies. `emailLinkSignin`, `initialEmail` and `customAuth`, as `accounts:lookup` has them, are there where they
/// say something.
package struct AccountExportWriter {
    package enum Format: String, Sendable, Codable, CaseIterable {
        case json, csv
    }

    /// The name of Homing's own hashes in `hashConfigs`; no scheme has so short an id.
    private static let own = "homing"

    private let format: Format
    private let schemes: [String: PasswordScheme]
    private let tenant: TenantID?
    package private(set) var count = 0
    package private(set) var withPassword = 0
    /// How many have a hash that this format has no words for.
    package private(set) var withoutTheirHash = 0
    /// How many have an old system that is to be asked about their password, and nothing else.
    package private(set) var verifiedElsewhere = 0

    /// - Parameters:
    ///   - schemes: those of the project (``PasswordSchemes/all(of:)``).
    ///   - tenant: the id of the tenant whose accounts these are.
    package init(_ format: Format, schemes: [(id: String, scheme: PasswordScheme)], tenant: TenantID? = nil) {
        self.format = format
        self.tenant = tenant
        self.schemes = Dictionary(schemes.map { ($0.id, $0.scheme) }) { first, _ in first }
    }

    /// What stands before the first account.
    package var beginning: [UInt8] {
        guard format == .json else { return [] }
        let configs = schemes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.config) }
        let all = JSON.Object(([(Self.own, PasswordScheme.argon2().config)] + configs).map { ($0.0, .object($0.1)) })
        return Array("{\"hashConfigs\": ".utf8) + JSON.object(all).write(pretty: false) + Array(",\n\"users\": [".utf8)
    }

    package mutating func page(_ accounts: [Account]) -> [UInt8] {
        var bytes: [UInt8] = []
        for account in accounts {
            let password = password(of: account)
            switch format {
            case .json:
                bytes += Array((count == 0 ? "\n" : ",\n").utf8)
                bytes += record(account, password).write(pretty: false)
            case .csv: bytes += Array(CSV.text([Self.row(account, password)]).utf8)
            }
            count += 1
            if schemes[ImportedHash(account.passwordHash)?.scheme ?? ""]?.oldSystem != nil {
                verifiedElsewhere += 1
            } else if password != nil {
                withPassword += 1
            } else if account.passwordHash != nil {
                withoutTheirHash += 1
            }
        }
        return bytes
    }

    /// What stands behind the last account.
    package var end: [UInt8] { format == .json ? Array("\n]}\n".utf8) : [] }

    // MARK: An account

    private struct Password {
        /// Nil where an old system is asked.
        let hash: String?
        var salt: String? = ""
        let config: String
    }

    /// Nil without a password, and for a hash that the format cannot say: a row has no place for its scheme.
    private func password(of account: Account) -> Password? {
        let imported = ImportedHash(account.passwordHash)
        if format == .json, let imported, schemes[imported.scheme]?.oldSystem != nil {
            return Password(hash: nil, salt: nil, config: imported.scheme)
        }
        guard let (hash, salt) = account.exportedHash else { return nil }
        guard let imported else { return Password(hash: hash, config: Self.own) }
        guard format == .json, schemes[imported.scheme] != nil else { return nil }
        return Password(hash: hash, salt: salt, config: imported.scheme)
    }

    private func record(_ account: Account, _ password: Password?) -> JSON {
        func text(_ moment: Moment?) -> JSON? { moment.map { .string(String($0.milliseconds)) } }
        let start: [(String, JSON?)] = [
            ("localId", .string(account.id.text)), ("email", account.email.map { .string($0.text) }),
            ("emailVerified", .bool(account.isEmailVerified)), ("passwordHash", password?.hash.map { .string($0) }),
            ("salt", password?.salt.map { .string($0) }), ("hashConfig", password.map { .string($0.config) }),
        ]
        let texts = AccountText.all.map { ($0.member, account[keyPath: $0.place].map { JSON.string($0) }) }
        let end: [(String, JSON?)] = [
            ("lastSignedInAt", text(account.lastLoginAt)), ("createdAt", text(account.createdAt)),
            ("disabled", account.isDisabled ? true : nil), ("emailLinkSignin", account.usesEmailLink ? true : nil),
            ("initialEmail", account.initialEmail.map { .string($0) }),
            ("customAuth", account.usesCustomTokens ? true : nil), ("tenantId", tenant.map { .string($0.text) }),
            ("providerUserInfo", .array(account.identities.map(\.json))),
        ]
        return .object(start + texts + end)
    }

    /// The columns of `auth:export --format=csv`; those of identity providers are empty.
    private static func row(_ account: Account, _ password: Password?) -> [String] {
        let start = [
            account.id.text, account.email?.text ?? "", String(account.isEmailVerified), password?.hash ?? "", "",
            account.displayName ?? "", account.photoURL ?? "",
        ]
        let end = [
            String(account.createdAt.milliseconds), account.lastLoginAt.map { String($0.milliseconds) } ?? "",
            account.phoneNumber ?? "", String(account.isDisabled), account.customAttributes ?? "",
        ]
        return start + [String](repeating: "", count: 16) + end
    }
}

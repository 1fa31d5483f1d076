// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
import HomingProjects
import HomingStore
import HomingWire

/// What a service account shows at the admin listener, for an hour: a key for its project alone.
///
/// `hs_` and base64url of the key version, the MAC and, in plain sight, end, project and service account. No row is
/// kept of it; that of the service account is read with every request, so that it ends with that.
package struct AccessToken: Sendable {
    /// Behind the admin listener's URL: where one is got.
    package static let path = "/token"
    package static let seconds: Int64 = 3600
    /// The audience that Google's libraries for Python, Node and Java write, whatever the file's `token_uri` says.
    static let googlesAudience = "https://oauth2.googleapis.com/token"
    private static let prefix = "hs_"
    private static let macLength = 32

    package let text: String
    let expiresAt: Moment
    let project: ProjectID
    let account: String

    init(of account: ServiceAccount, in project: ProjectID, ring: KeyRing, at now: Moment) throws(Refusal) {
        let version = try ring.versionInUse()
        expiresAt = now.adding(seconds: Self.seconds)
        self.project = project
        self.account = account.id
        let body = Array("\(expiresAt.seconds) \(project) \(account.id)".utf8)
        guard let mac = try ring.mac([version] + body, for: .accessToken, version: version) else {
            throw .keyMissing
        }
        text = Self.prefix + Base64URL.encode([version] + mac + body)
    }

    /// A token of ours; nil for any other text. It may have ended.
    init?(_ text: String, ring: KeyRing) throws(Refusal) {
        guard text.utf8.count <= 256, text.hasPrefix(Self.prefix),
            let bytes = Base64URL.decode(text.dropFirst(Self.prefix.count)), bytes.count > 1 + Self.macLength
        else { return nil }
        let body = Array(bytes[(1 + Self.macLength)...])
        guard let mac = try ring.mac([bytes[0]] + body, for: .accessToken, version: bytes[0]),
            areEqualInConstantTime(mac, bytes[1...Self.macLength])
        else { return nil }
        let parts = String(decoding: body, as: UTF8.self).split(separator: " ")
        guard parts.count == 3, let end = Int64(parts[0]) else { return nil }
        self.text = text
        expiresAt = Moment(milliseconds: end * 1000)
        project = ProjectID(String(parts[1]))
        account = String(parts[2])
    }
}

/// Why no access token is given, in the words of RFC 6749, section 5.2.
package struct GrantRefusal: Error, Equatable {
    /// Such as `invalid_grant`.
    package let code: String
    package let sentence: String

    package init(_ code: String, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    /// The one answer to whoever shows no key of ours, so that nobody learns which projects there are.
    static let unknown = GrantRefusal(
        "invalid_grant", "The assertion is not signed by a service account of this server that is in force.")
}

extension ServiceAccounts {
    /// Gives an access token for what a service account has signed (RFC 7523, section 2.1).
    ///
    /// - Parameter audiences: what the assertion may be for: the URLs at which the caller found this place.
    /// - Throws: ``GrantRefusal``.
    package func accessToken(for assertion: String, audiences: [String]) async throws -> AccessToken {
        do {
            let token = try await checkedAccessToken(
                for: assertion, audiences: audiences + [AccessToken.googlesAudience])
            store.system.report(
                SecurityEvent(.accessTokenGiven, project: token.project.scope, subject: token.account))
            return token
        } catch let refusal as GrantRefusal {
            store.system.report(SecurityEvent(.serviceAccountRefused))
            throw refusal
        }
    }

    private func checkedAccessToken(for text: String, audiences: [String]) async throws -> AccessToken {
        let now = store.system.now()
        do {
            let assertion = try ServiceAccountToken(parsing: text, audiences: audiences)
            guard let project = Self.project(of: assertion.issuer) else { throw GrantRefusal.unknown }
            let signer = try assertion.signer(
                among: try await signers(assertion.issuer, of: project), at: now, patience: 60)
            switch assertion.payload["sub"] {
            case nil, .null?: break
            case .string(let subject)? where subject.utf8.elementsEqual(assertion.issuer.utf8): break
            default: throw GrantRefusal("invalid_grant", "A service account acts for itself alone: leave out sub.")
            }
            guard signer.opensAdmin else {
                throw GrantRefusal(
                    "unauthorized_client",
                    "This service account is for custom tokens alone: use one that was made for back ends.")
            }
            return try AccessToken(of: signer, in: project, ring: store.ring, at: now)
        } catch ServiceAccountToken.Fault.invalid(let sentence) {
            throw GrantRefusal("invalid_grant", sentence)
        } catch is ServiceAccountToken.Fault {
            throw GrantRefusal.unknown
        }
    }

    /// The rights of an access token: those of an admin key for its project alone, which reads no hashes.
    ///
    /// - Throws: ``Refusal/adminKeyEnded(_:)`` to whoever has a token whose hour is over.
    package func rights(of text: String) async throws -> AdminKey? {
        guard let token = try AccessToken(text, ring: store.ring),
            let account = try await inForce(token.account, of: token.project), account.opensAdmin
        else { return nil }
        guard store.system.now() < token.expiresAt else {
            throw Refusal.adminKeyEnded("The access token ended at \(token.expiresAt.timestamp).")
        }
        return AdminKey(
            id: account.id, name: "of the service account \(account.name ?? account.id)", projects: [token.project],
            readsHashes: false, createdAt: account.createdAt, expiresAt: token.expiresAt, revokedAt: nil, usedAt: nil)
    }

    /// The project in a service account's email, `service-account@PROJECT.HOST`. No project's id has a dot.
    private static func project(of email: String) -> ProjectID? {
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = parts[1].split(separator: ".", omittingEmptySubsequences: false).first,
            case let project = ProjectID(String(id)), (try? Projects.check(id: project)) != nil
        else { return nil }
        return project
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CryptoExtras
import Foundation
import HomingStore
import HomingWire

/// A JWT that a service account has signed: a custom token, or an assertion for an access token (RFC 7523, section 3).
struct ServiceAccountToken {
    enum Fault: Error, Equatable {
        /// The sentence says what is wrong with it.
        case invalid(String)
        /// It is of nobody whom the project knows.
        case unknownSigner
        /// Somebody else has signed it.
        case forged
    }

    /// The service account that it says it is of.
    let issuer: String
    let payload: JSON.Object
    private let message: String
    private let keyID: String?
    private let signature: [UInt8]

    /// Reads a token that is for somebody in particular; nothing of it is proven yet.
    ///
    /// - Parameter audiences: whom it may be for; the first one is told to whoever names another.
    init(parsing text: String, audiences: [String]) throws(Fault) {
        guard let parts = TokenParts(text), let header = Self.object(parts.header),
            let payload = Self.object(parts.payload), let signature = Base64URL.decode(parts.signature)
        else { throw .invalid("Invalid assertion format. 3 dot separated segments required.") }
        // RFC 7515 section 4.1.11: critical extensions demand more than we implement.
        guard header["alg"]?.stringValue == "RS256", header["crit"] == nil else {
            throw .invalid("The token must be signed with RS256, and name no critical extensions.")
        }
        guard let audience = payload["aud"]?.stringValue,
            audiences.contains(where: { $0.utf8.elementsEqual(audience.utf8) })
        else { throw .invalid("The audience (aud) is \(audiences.first ?? "").") }
        message = parts.message
        issuer = payload["iss"]?.stringValue ?? ""
        keyID = header["kid"]?.stringValue
        self.payload = payload
        self.signature = signature
    }

    /// The service account that has signed it, while its time lasts.
    ///
    /// - Parameters:
    ///   - accounts: the service accounts with this issuer.
    ///   - patience: for how many seconds after its end a token counts, because clocks differ.
    func signer(among accounts: [ServiceAccount], at now: Moment, patience: Int64 = 0) throws -> ServiceAccount {
        let candidates = accounts.filter { account in keyID.map { $0.utf8.elementsEqual(account.id.utf8) } ?? true }
        guard !candidates.isEmpty else { throw Fault.unknownSigner }
        let message = Data(message.utf8)
        let signer = try candidates.first { account in
            try _RSA.Signing.PublicKey(pemRepresentation: account.publicKey).isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: message, padding: .insecurePKCS1v1_5)
        }
        guard let signer else { throw Fault.forged }
        try check(at: now, patience: patience)
        return signer
    }

    /// A token lives for an hour at most; it may be from a minute ahead.
    private func check(at now: Moment, patience: Int64) throws(Fault) {
        guard let issuedAt = payload["iat"]?.integerValue, let expiresAt = payload["exp"]?.integerValue,
            Moment.representable.contains(issuedAt), (issuedAt...issuedAt + 3600).contains(expiresAt)
        else { throw .invalid("iat and exp are seconds, and at most an hour apart.") }
        guard issuedAt <= now.seconds + 60 else { throw .invalid("The token is from the future.") }
        guard now.seconds < expiresAt + patience else { throw .invalid("The token has expired.") }
    }

    private static func object(_ part: Substring) -> JSON.Object? {
        Base64URL.decode(part).flatMap { try? JSON.parse($0).objectValue }
    }
}

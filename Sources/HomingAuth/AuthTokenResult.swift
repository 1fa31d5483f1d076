// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingClient
internal import HomingWire

/// An ID token and what it says.
///
/// The app reads its own token here; a back end that is given one has to verify the signature first.
public struct AuthTokenResult: Sendable {
    /// The token itself.
    public let token: String
    /// When it ends.
    public let expirationDate: Date
    /// When the person signed in.
    public let authDate: Date
    /// When the token was made.
    public let issuedAtDate: Date
    /// How the person signed in, `password` or `anonymous`.
    public let signInProvider: String

    /// Empty: Homing has no second factor.
    public var signInSecondFactor: String { "" }

    let payload: JSON.Object

    /// Everything that the token says, the operator's own claims among it.
    public var claims: [String: Any] { Self.plain(payload) }

    init?(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let data = Self.base64URL(parts[1]),
            let payload = (try? JSON.parse(data))?.objectValue, let expires = Self.date(payload["exp"]),
            let issued = Self.date(payload["iat"])
        else { return nil }
        self.token = token
        self.payload = payload
        expirationDate = expires
        issuedAtDate = issued
        authDate = Self.date(payload["auth_time"]) ?? issued
        signInProvider = payload["firebase"]?.objectValue?["sign_in_provider"]?.stringValue ?? ""
    }

    private static func base64URL(_ text: Substring) -> Data? {
        let bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - bytes.count % 4) % 4)
        return Data(base64Encoded: Data(bytes + padding))
    }

    private static func date(_ value: JSON?) -> Date? {
        value?.integerValue.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }

    private static func plain(_ value: JSON) -> Any {
        switch value {
        case .null: NSNull()
        case .bool(let flag): flag
        case .int(let number): Int(exactly: number) ?? number
        case .double(let number): number
        case .string(let text): text
        case .array(let elements): elements.map(plain)
        case .object(let object): plain(object)
        }
    }

    private static func plain(_ object: JSON.Object) -> [String: Any] {
        object.members.reduce(into: [:]) { $0[$1.key] = plain($1.value) }
    }
}

extension AuthTokenResult: CustomStringConvertible, CustomReflectable {
    /// When it ends, and nothing else: tokens must not get into logs.
    public var description: String { "AuthTokenResult(expirationDate: \(expirationDate))" }

    /// The same for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["expirationDate": expirationDate]) }
}

extension User {
    /// An ID token and what it says; ``getIDToken(forcingRefresh:)`` tells when it is refreshed.
    public func getIDTokenResult(forcingRefresh: Bool = false) async throws(HomingAuthError) -> AuthTokenResult {
        guard let result = AuthTokenResult(try await getIDToken(forcingRefresh: forcingRefresh)) else {
            throw HomingAuthError.unexpectedAnswer("an ID token that is no JSON Web Token")
        }
        return result
    }

    /// ``getIDTokenResult(forcingRefresh:)`` with a completion handler.
    public func getIDTokenResult(forcingRefresh: Bool = false, completion: ((AuthTokenResult?, (any Error)?) -> Void)?)
    {
        deliver(to: completion) { () async throws(HomingAuthError) in
            try await self.getIDTokenResult(forcingRefresh: forcingRefresh)
        }
    }
}

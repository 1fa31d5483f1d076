// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// A way of proving who one is, made by ``EmailAuthProvider``.
public struct AuthCredential: Sendable {
    /// The provider's id, `password`.
    public let provider: String

    let proof: Proof

    enum Proof: Sendable {
        case password(email: String, password: String)
        case link(email: String, link: String)
        case code(email: String, code: String, tenant: String?)
    }

    typealias Request = (operation: String, members: [(String, JSON?)])

    /// What the code does that is in it.
    var operations: Set<ActionCodeOperation> {
        switch proof {
        case .password: []
        case .link, .code: [.emailLink]
        }
    }

    /// The request that signs in with it, or links it to the account of an ID token.
    ///
    /// - Parameter tenant: where an address and its password are looked for; a link says so by itself.
    /// - Throws: ``AuthErrorCode/invalidActionCode`` for a link that does not sign in or is of another project, before
    ///   any request.
    func request(
        linkingTo idToken: String?, in tenant: String?, by auth: Auth
    ) throws(HomingAuthError) -> Request {
        let token = ("idToken", idToken.map { JSON.string($0) })
        // A token says by itself of which tenant it is.
        func member(_ tenant: String?) -> (String, JSON?) {
            Auth.member(idToken == nil ? tenant : nil)
        }
        func redemption(of code: String, _ tenant: String?, _ email: String) -> (String, [(String, JSON?)]) {
            (
                "signInWithEmailLink",
                [token, ("email", .string(email)), ("oobCode", .string(code)), member(tenant)]
            )
        }
        switch proof {
        case .password(let email, let password):
            let operation = idToken == nil ? "signInWithPassword" : "signUp"
            return (
                operation,
                [token, ("email", .string(email)), ("password", .string(password)), member(tenant)]
            )
        case .link(let email, let link):
            guard case .action(let action) = IncomingAction(link), action.mode == .signIn else {
                throw .notASignInLink
            }
            try auth.check(apiKey: action.apiKey)
            return redemption(of: action.code, action.tenantID, email)
        case .code(let email, let code, let tenant): return redemption(of: code, tenant, email)
        }
    }

    var email: String {
        switch proof {
        case .password(let email, _), .link(let email, _), .code(let email, _, _): email
        }
    }
}

extension AuthCredential: CustomStringConvertible, CustomReflectable {
    /// The provider and nothing else: credentials end up in logs.
    public var description: String { "AuthCredential(provider: \(provider))" }

    /// The same for `dump`.
    public var customMirror: Mirror { Mirror(self, children: ["provider": provider]) }
}

/// Credentials of people who sign in with their email address.
public enum EmailAuthProvider {
    /// `password`, for passwords and mailed links alike.
    public static let id = "password"

    /// Address and password.
    public static func credential(withEmail email: String, password: String) -> AuthCredential {
        AuthCredential(provider: id, proof: .password(email: email, password: password))
    }

    /// Address and the link that was mailed to it.
    public static func credential(withEmail email: String, link: String) -> AuthCredential {
        AuthCredential(provider: id, proof: .link(email: email, link: link))
    }
}

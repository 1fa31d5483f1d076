// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingAuth
import HomingWire
import Testing

@Suite struct UserProfileTests {
    private static let record = """
        {"users":[{"localId":"ann","email":"ann@home.example","emailVerified":true,"displayName":"Ann Ó",\
        "photoUrl":"https://shop.example/ann.png","providerUserInfo":[{"providerId":"password"}],\
        "createdAt":"1795229000123","lastLoginAt":"1795230000456"}]}
        """

    private static func signedIn(
        _ store: MemorySessionStore = MemorySessionStore(), idToken: String = "id1"
    ) async throws -> (User, ScriptedTransport) {
        let transport = ScriptedTransport { call in
            switch call.operation {
            case "lookup": (200, record)
            case "signInWithPassword":
                (200, "{\"idToken\":\"\(idToken)\",\"refreshToken\":\"refresh1\",\"expiresIn\":\"3600\"}")
            default: Scripted.friendly(call)
            }
        }
        let auth = try HomingApp.of(transport, store: store)
        return (try await auth.signIn(withEmail: "ann@home.example", password: "long enough").user, transport)
    }

    @Test func `a user has a name, a picture, times and one way to sign in, also after a restart`() async throws {
        let store = MemorySessionStore()
        let (signedIn, _) = try await Self.signedIn(store)
        let restarted = try #require(try HomingApp.of(ScriptedTransport(), store: store).currentUser)
        for user in [signedIn, restarted] {
            #expect(user.displayName == "Ann Ó")
            #expect(user.photoURL?.absoluteString == "https://shop.example/ann.png")
            #expect(user.isEmailVerified)
            #expect(!user.isAnonymous)
            #expect(user.metadata.creationDate == Date(timeIntervalSince1970: 1_795_229_000.123))
            #expect(user.metadata.lastSignInDate == Date(timeIntervalSince1970: 1_795_230_000.456))
            #expect(user.providerData.map(\.providerID) == ["password"])
            #expect(user.providerData.first?.email == "ann@home.example")
            #expect(user.refreshToken == "refresh1")
        }
    }

    @Test func `a change request sends what was set, removes what was set to nil and leaves the rest`() async throws {
        let (user, transport) = try await Self.signedIn()
        let request = user.createProfileChangeRequest()
        #expect(request.displayName == "Ann Ó")
        request.displayName = nil
        try await request.commitChanges()
        let sent = try #require(transport.calls.last { $0.operation == "update" })
        #expect(sent.body["deleteAttribute"] == .array(["DISPLAY_NAME"]))
        #expect(sent.body["displayName"] == nil)
        #expect(sent.body["photoUrl"] == nil)
        let other = user.createProfileChangeRequest()
        other.displayName = "Bea"
        other.photoURL = URL(string: "https://shop.example/bea.png")
        try await other.commitChanges()
        let second = try #require(transport.calls.last { $0.operation == "update" })
        #expect(second.string("displayName") == "Bea")
        #expect(second.string("photoUrl") == "https://shop.example/bea.png")
        #expect(second.body["deleteAttribute"] == nil)
        let count = transport.calls.count
        try await user.createProfileChangeRequest().commitChanges()
        #expect(transport.calls.count == count)
    }

    @Test func `an ID token tells its times, how the person signed in and the operator's claims`() async throws {
        let payload = """
            {"exp":1795233600,"iat":1795230000,"auth_time":1795229990,"role":"editor","levels":[1,2.5,true,null],\
            "firebase":{"sign_in_provider":"password"}}
            """
        let encoded = Data(payload.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
            .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        let (user, _) = try await Self.signedIn(idToken: "e30.\(encoded).c2ln")
        let result = try await user.getIDTokenResult()
        #expect(result.expirationDate == Date(timeIntervalSince1970: 1_795_233_600))
        #expect(result.issuedAtDate == Date(timeIntervalSince1970: 1_795_230_000))
        #expect(result.authDate == Date(timeIntervalSince1970: 1_795_229_990))
        #expect(result.signInProvider == "password")
        #expect(result.claims["role"] as? String == "editor")
        #expect((result.claims["levels"] as? [Any])?.count == 4)
        #expect((result.claims["firebase"] as? [String: Any])?["sign_in_provider"] as? String == "password")
        let (other, _) = try await Self.signedIn(idToken: "no token")
        let error = await #expect(throws: HomingAuthError.self) { try await other.getIDTokenResult() }
        #expect(error?.code == .internalError)
    }
}

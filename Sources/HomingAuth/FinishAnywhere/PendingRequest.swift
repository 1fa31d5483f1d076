// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

/// A request that waits to be finished, as it is kept on this device.
struct PendingRequest: Sendable, Equatable {
    let id: String
    let verifier: String
    let matchNumber: String
    /// The address that the mail goes to.
    let email: String
    let type: ActionRequestType
    let tenant: String?
    /// Where the mail's link leads in the end, as it was asked for.
    let continueURL: String?
    let expires: Date

    /// What the server answered to a request with a verifier's challenge; nil where it bound nothing.
    init?(
        _ answer: JSON.Object, _ verifier: CodeVerifier, _ type: ActionRequestType, email: String, tenant: String?,
        continueURL: String?, at now: Date
    ) {
        guard let id = answer["requestId"]?.stringValue, !id.isEmpty,
            let number = answer["matchNumber"]?.stringValue, !number.isEmpty,
            let seconds = answer["expiresIn"]?.stringValue.flatMap(Int.init), (1...31_536_000).contains(seconds)
        else { return nil }
        self.id = id
        self.verifier = verifier.text
        matchNumber = number
        self.email = email
        self.type = type
        self.tenant = tenant
        self.continueURL = continueURL
        expires = now.addingTimeInterval(TimeInterval(seconds))
    }

    /// Until when it is kept: a sign-in that was approved in the last second is collected within five minutes, and
    /// this device's clock may be wrong.
    var end: Date { expires.addingTimeInterval(600) }

    /// What a session store keeps.
    var record: JSON {
        .object([
            ("requestId", .string(id)), ("codeVerifier", .string(verifier)), ("matchNumber", .string(matchNumber)),
            ("email", .string(email)), ("requestType", .string(type.name)), ("tenantId", tenant.map { .string($0) }),
            ("continueUrl", continueURL.map { .string($0) }),
            ("expires", .int(Int64(exactly: expires.timeIntervalSince1970.rounded(.down)) ?? 0)),
        ])
    }

    /// What a session store has kept; nil for what this version cannot read.
    init?(_ record: JSON) {
        guard let record = record.objectValue, let id = record["requestId"]?.stringValue,
            let verifier = record["codeVerifier"]?.stringValue, let number = record["matchNumber"]?.stringValue,
            let email = record["email"]?.stringValue,
            let type = record["requestType"]?.stringValue.flatMap(ActionRequestType.init(name:)),
            let expires = record["expires"]?.integerValue
        else { return nil }
        self.id = id
        self.verifier = verifier
        matchNumber = number
        self.email = email
        self.type = type
        tenant = record["tenantId"]?.stringValue
        continueURL = record["continueUrl"]?.stringValue
        self.expires = Date(timeIntervalSince1970: TimeInterval(expires))
    }
}

extension SessionVault {
    /// Where the requests of the same app and server stand: an entry of their own, which signing out leaves alone.
    private var requestsKey: String { "\(key) requests" }

    /// What waits to be finished, the newest first; nothing also when the store holds what this version cannot read.
    ///
    /// - Throws: the store's error, when it cannot be read now.
    func loadRequests() throws -> [PendingRequest] { try store.read(requestsKey).map(Self.requests) ?? [] }

    private static func requests(_ data: Data) -> [PendingRequest] {
        guard let object = (try? JSON.parse(data))?.objectValue, object["version"]?.integerValue == 1 else { return [] }
        return object["requests"]?.arrayValue?.compactMap(PendingRequest.init) ?? []
    }

    /// Keeps what waits here, and leaves alone what another process of a group has put there meanwhile.
    ///
    /// - Parameter known: the ids that are this process's to keep or to forget.
    func save(_ requests: [PendingRequest], besides known: Set<String>, at now: Date) throws {
        for _ in 0..<Self.mostTries {
            let data = try store.read(requestsKey)
            let theirs = (data.map(Self.requests) ?? []).filter { !known.contains($0.id) && now < $0.end }
            let all = requests + theirs
            let record = JSON.object([("version", 1), ("requests", .array(all.map(\.record)))])
            let new = all.isEmpty ? nil : Data(record.write(pretty: false))
            guard let data else { return try new.map { try store.write($0, for: requestsKey) } ?? () }
            if try store.replace(data, with: new, for: requestsKey) { return }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
import HomingWire

/// Requests that a page of ours makes, which answers the same for every address.
extension ActionCodes {
    enum QuietAnswer: Sendable {
        /// - waiting: the id of a bound request, which has a page that waits for it.
        case asked(waiting: String?)
        /// Nothing was sent, because a mail went to the address a short while ago.
        case askedBefore
    }

    /// Mails a link without revealing whether anybody gets it.
    func requestQuietly(_ request: Request) async throws -> QuietAnswer {
        var request = request
        request.isQuiet = true
        do {
            return .asked(waiting: try await self.request(request).bound?.requestID)
        } catch Refusal.userNotFound, Refusal.missingEmail {
            // The account that a link was mailed for is gone. The page is the same as for one that is there.
            return .asked(waiting: nil)
        } catch Refusal.Code.tooManyAttempts {
            // The first mail of each kind in an hour always goes, so there was one.
            return .askedBefore
        }
    }
}

extension ActionCodes.Request {
    /// Binds the request to nobody who could finish it here: only to the number that the page shows which waits.
    mutating func bindToPage(_ asked: AskedFrom, _ system: System) throws {
        // The SHA-256 of a verifier that nobody knows.
        challenge = try CodeChallenge(parsing: Base64URL.encode(system.randomBytes(32)), method: nil)
        self.asked = asked
    }
}

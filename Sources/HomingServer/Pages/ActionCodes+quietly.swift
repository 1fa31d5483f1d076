// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore

extension ActionCodes {
    /// Mails a link without revealing whether anybody gets it: a page answers the same for every address.
    ///
    /// - Returns: false when a mail went to the address a short while ago.
    func requestQuietly(_ request: Request) async throws -> Bool {
        do {
            _ = try await self.request(request)
        } catch Refusal.userNotFound, Refusal.emailNotFound, Refusal.missingEmail, Refusal.adminOnlyOperation {
            // The page is the same as for an address that somebody has.
        } catch Refusal.Code.tooManyAttempts {
            // The first mail of each kind in an hour always goes, so there was one.
            return false
        }
        return true
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore

extension ActionCodes {
    /// Mails a link without telling whether anybody gets it: a page says the same of every address.
    ///
    /// - Returns: false when a mail went to the address a short while ago.
    func requestQuietly(_ request: Request) async throws -> Bool {
        do {
            _ = try await self.request(request)
        } catch Refusal.userNotFound, Refusal.emailNotFound, Refusal.missingEmail, Refusal.adminOnlyOperation {
            // The same page as for an address that somebody has.
        } catch Refusal.tooManyAttempts {
            // Of each kind the first mail in an hour always goes, so there was one.
            return false
        }
        return true
    }
}

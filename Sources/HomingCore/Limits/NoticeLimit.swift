// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Notices are never limited, but for an address that nobody has proven: whoever signed up with a stranger's address
/// could have the stranger flooded.
enum NoticeLimit {
    static func allows(
        _ address: EmailAddress, _ account: Account, _ limits: Limits, in project: String, at now: Moment,
        _ connection: borrowing Connection
    ) throws -> Bool {
        guard !account.isEmailVerified, limits.mailPerAddressHour > 0 else { return true }
        let hour = Counter(project: project, subject: "notice \(address.text)", windowSeconds: 3600)
        let count = try connection.run(hour.increment(at: now)).first?.int(0) ?? 0
        return Int(count) <= limits.mailPerAddressHour
    }
}

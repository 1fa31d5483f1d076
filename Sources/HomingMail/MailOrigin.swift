// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore

/// Whom mails come from.
package struct MailOrigin: Sendable {
    /// The sender unless a project names another.
    package let sender: SenderAddress
    /// The address to which undeliverable mails come back; without one they come back to the sender.
    package let bounces: BounceAddress?

    package init(sender: SenderAddress, bounces: BounceAddress?) {
        self.sender = sender
        self.bounces = bounces
    }
}

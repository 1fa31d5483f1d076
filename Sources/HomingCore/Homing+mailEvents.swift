// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
import HomingStore
internal import HomingWire

extension Homing {
    /// What stands in the path `/_/mail-events/TOKEN` for the provider of the server's own: the same on all nodes, until
    /// the oldest key is retired.
    package var mailEventsToken: String { keys.ring.mailEventsTokens.first ?? "" }

    /// Whether this is ``mailEventsToken``, or what takes its place when older keys are retired.
    package func isMailEventsToken(_ text: String) -> Bool {
        keys.ring.mailEventsTokens.contains { areEqualInConstantTime($0.utf8, text.utf8) }
    }

    /// Where a provider sends its events; nil for the server's own.
    package func mailEventsURL(of transport: OwnMailTransport?) -> String {
        "\(publicURL)/_/mail-events/\(transport?.eventsToken ?? mailEventsToken)"
    }
}

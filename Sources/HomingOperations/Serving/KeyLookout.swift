// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
package import HomingStore
package import Logging

/// Tells the operator when this server lacks the master key in use: once at the beginning, and once at the end.
package struct KeyLookout {
    package let keys: Keys
    package let logger: Logger
    private let areSeveralPossible: Bool
    private var seen: KeyRing.Gap?

    package init(_ keys: Keys, of nodes: Nodes, _ logger: Logger) {
        self.keys = keys
        areSeveralPossible = nodes.areSeveralPossible
        self.logger = logger
    }

    package mutating func look() {
        let gap = keys.ring.gap
        guard gap != seen else { return }
        defer { seen = gap }
        guard let gap else {
            return logger.notice("the key file has the key version in use again", metadata: ["file": "\(keys.path)"])
        }
        let what =
            switch gap {
            case .lacking(let version): "key version \(version) is in use, and this server's key file lacks it"
            case .foreign(let version): "this server's key file has another key version \(version) than the one in use"
            }
        let advice =
            areSeveralPossible
            ? "copy the file here from a server that has it (homing node list); until then /readyz is 503, and emails and "
                + "sign-ins are left to the other servers"
            : "put the right copy of the file back; until then nobody signs in, and no email is sent"
        logger.error("\(what): \(advice)", metadata: ["file": "\(keys.path)"])
    }
}

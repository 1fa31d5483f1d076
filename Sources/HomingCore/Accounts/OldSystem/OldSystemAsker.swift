// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingPasswords
package import HomingStore

/// How questions reach an old system, and who hears of one that has no answer.
package protocol OldSystemAsker: Sendable {
    /// How long a question waits for its turn at most.
    var patience: Duration { get }

    /// Asks on this thread, and gives up after a few seconds.
    func ask(_ question: OldSystemQuestion) -> OldSystemReply

    /// Tells the operator.
    func note(_ reason: String, about system: OldSystem, of project: Scope)
}

extension OldSystemAsker {
    package var patience: Duration { .seconds(5) }
}

/// Asks nobody: for commands and tests in which nobody signs in.
package struct NoOldSystemAsker: OldSystemAsker {
    package init() {}
    package func ask(_ question: OldSystemQuestion) -> OldSystemReply { .failed("nobody can be asked from here") }
    package func note(_ reason: String, about system: OldSystem, of project: Scope) {}
}

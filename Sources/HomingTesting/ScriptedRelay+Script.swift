// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import NIOCore

extension ScriptedRelay {
    /// The orders of the test and the events so far.
    struct Script {
        struct Rule {
            let behavior: Behavior
            var timesLeft: Int
        }

        var rules: [Stage: Rule] = [:]
        var finalDelay = Duration.zero
        var messages: [Message] = []
        var commands: [String] = []
        var connectionCount = 0
        var open: [Int: any Channel] = [:]
        var isStopped = false

        /// The behaviour ordered for a stage; each call uses it up once.
        mutating func nextBehavior(at stage: Stage) -> Behavior? {
            guard var rule = rules[stage], rule.timesLeft > 0 else { return nil }
            rule.timesLeft -= 1
            rules[stage] = rule
            return rule.behavior
        }
    }
}

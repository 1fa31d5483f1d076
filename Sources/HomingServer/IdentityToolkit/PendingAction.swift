// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire

extension IdentityToolkit {
    /// `accounts:pendingAction`, which is no operation of Firebase's: what somebody was about to do before the app was
    /// there.
    static func pendingAction(_ context: ProjectContext, _ person: SignedIn) async throws -> JSON {
        let rule = context.homing.projects.linkRules(of: context.project).continueRule
        let pending = try await context.homing.actionCodes.pendingAction(of: person, by: rule, in: context.project)
        return .object([
            ("mode", pending.map { .string($0.mode.rawValue) }),
            ("continueUrl", pending.map { .string($0.continueURL) }),
        ])
    }
}

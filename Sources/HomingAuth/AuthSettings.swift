// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Settings of phone sign-in, which tests of apps turn off. Homing verifies no app, so it is always off.
public final class AuthSettings: Sendable {
    /// False, whatever is set: there is nothing to disable.
    public var isAppVerificationDisabledForTesting: Bool {
        get { false }
        set {}
    }

    /// The older name of ``isAppVerificationDisabledForTesting``.
    public var appVerificationDisabledForTesting: Bool {
        get { false }
        set {}
    }
}

extension Auth {
    /// Settings of phone sign-in, with which nothing is set here.
    public var settings: AuthSettings? { AuthSettings() }
}

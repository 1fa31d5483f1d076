// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation

/// What somebody was about to do when the app was not installed yet: the answer of ``Auth/pendingAction()``.
public struct UnfinishedAction: Sendable, Equatable {
    /// What the mail is for whose link was opened in a browser.
    public let operation: ActionCodeOperation
    /// Where the person wants to go: the ``ActionCodeSettings/url`` of the request, if there is one.
    ///
    /// Go only to places of your own.
    public let continueURL: URL?
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// A project, as far as links are concerned. A class, so that the rules of every link share one.
package protocol LinkOwner: AnyObject, Sendable {
    var apps: [RegisteredApp] { get }
    /// The domains to which people may return.
    var authorizedDomains: [AuthorizedDomain] { get }
    var linkDomains: [LinkDomain] { get }
    /// The operator's own page for codes; nil for ours.
    var callbackURI: String? { get }
}

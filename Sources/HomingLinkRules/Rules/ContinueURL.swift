// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

/// The URL to which a person goes when the action is done: allowed by the project, kept byte for byte.
///
/// Parsed when the mail is asked for and again when the link is followed, since the list may have changed between.
package struct ContinueURL: Sendable, Hashable {
    package let url: WebURL

    /// The URL, byte for byte as it was given.
    package var text: String { url.text }

    /// - Throws: ``Refusal/invalidContinueURI(_:)`` when the text is no acceptable URL, whatever the project allows;
    ///   ``Refusal/unauthorizedDomain`` when it leads to a domain that is not listed and that is no link domain of the
    ///   project. The lists are never shown.
    package init(parsing text: String, for project: any LinkOwner) throws(Refusal) {
        try self.init(parsing: text, by: ContinueRule(project))
    }

    package init(parsing text: String, by rule: ContinueRule) throws(Refusal) {
        do throws(WebURLFault) {
            url = try WebURL(parsing: text)
        } catch {
            throw .invalidContinueURI(error.sentence)
        }
        guard rule.allows(text) else { throw .unauthorizedDomain }
    }
}

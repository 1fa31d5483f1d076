// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The URL to which a person goes when the action is done: allowed by the project, kept byte for byte.
///
/// Parsed when the mail is asked for and again when the link is followed, since the list may have changed between.
package struct ContinueURL: Sendable, Hashable {
    package let url: WebURL

    /// The URL, byte for byte as it was given.
    package var text: String { url.text }

    /// - Throws: ``Refusal/invalidContinueURI(_:)`` when the text is no acceptable URL, whatever the list says;
    ///   ``Refusal/unauthorizedDomain`` when it leads to a domain that is not listed. The list itself is never shown.
    package init(parsing text: String, allowedBy domains: [AuthorizedDomain]) throws(Refusal) {
        do throws(WebURLFault) {
            url = try WebURL(parsing: text)
        } catch {
            throw .invalidContinueURI(error.sentence)
        }
        guard domains.contains(where: { $0.allows(url) }) else { throw .unauthorizedDomain }
    }
}

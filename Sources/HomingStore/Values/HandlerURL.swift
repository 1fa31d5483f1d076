// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The page that mailed links lead to, the setting `notification.sendEmail.callbackUri`.
///
/// `https` on any host, `http` on loopback names; it may have a query, behind which the link's parameters are put.
package struct HandlerURL: Sendable, Hashable {
    package let url: WebURL

    /// The URL, byte for byte as it was given.
    package var text: String { url.text }

    /// - Throws: ``Refusal/invalidSetting(_:)`` with a sentence that says what is accepted.
    package init(parsing text: String) throws(Refusal) {
        do throws(WebURLFault) {
            url = try WebURL(parsing: text)
        } catch {
            throw .invalidSetting("callbackUri: \(error == .missingHost ? "The URL has no host" : error.sentence)")
        }
        // Every mail has this URL as text, too, in which programs find links.
        guard !url.text.utf8.contains(where: { "{}|^`".utf8.contains($0) }) else {
            throw .invalidSetting("callbackUri: The URL holds one of { } | ^ `; percent-encode it")
        }
        guard !url.hasFragment else {
            throw .invalidSetting("callbackUri: The URL must not have a # part; a browser would keep it from the page")
        }
    }
}

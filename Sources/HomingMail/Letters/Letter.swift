// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The rendered message of a mail: one subject, and the same content twice, as text and as HTML.
///
/// Lines end in a line feed; the message writer turns them into CRLF. The subject is one line without control characters.
package struct Letter: Sendable, Equatable {
    package let subject: String
    package let text: String
    package let html: String

    package init(subject: String, text: String, html: String) {
        self.subject = subject
        self.text = text
        self.html = html
    }
}

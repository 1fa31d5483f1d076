// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingMail

/// The receiver of the mails.
package enum MailRelay: Sendable, Equatable {
    case smtp(SMTPRelay)
    /// `mailbox:`; mails are kept in the database and shown on the admin listener, for development.
    case mailbox

    package init(parsing text: String) throws(Rejection) {
        if text.utf8.elementsEqual("mailbox:".utf8) {
            self = .mailbox
            return
        }
        do {
            self = .smtp(try SMTPRelay(parsing: text))
        } catch {
            throw .notAccepted
        }
    }
}

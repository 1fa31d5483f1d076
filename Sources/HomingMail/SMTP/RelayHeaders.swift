// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Orders to a provider in headers of the message: to leave the links as they are, to count no openings, and to know
/// the mail by our id. Its own relay takes them out; through any other they would travel on.
package struct RelayHeaders: Sendable {
    /// The provider's domain; its relays are hosts there, whose names begin with the prefix.
    private let domain: String
    private var prefix = ""
    /// Of its `mail.url` over HTTPS; nil where it has none.
    private let scheme: String?
    private let fields: @Sendable (_ id: String) -> [(name: String, value: String)]

    /// The message with the fields of the host's provider before its own.
    ///
    /// - Parameter id: letters and digits, hyphens and underscores; any other is not told.
    package static func add(to message: [UInt8], of id: String?, through host: String) -> [UInt8] {
        guard let row = find(host), let id, !id.isEmpty, id.utf8.count <= 64, id.utf8.allSatisfy(ASCII.isBase64URL)
        else { return message }
        let head = row.fields(id).map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array(head.utf8) + message
    }

    /// The scheme of the provider whose relay a host is.
    static func scheme(ofHost host: String) -> String? { find(host)?.scheme }

    private static func find(_ host: String) -> RelayHeaders? {
        let host = host.lowercased()
        return all.first { (host == $0.domain || host.hasSuffix(".\($0.domain)")) && host.hasPrefix($0.prefix) }
    }

    private static let all = [
        RelayHeaders(domain: "amazonaws.com", prefix: "email-smtp.", scheme: "ses") {
            [("X-SES-MESSAGE-TAGS", "homing=\($0)")]
        },
        RelayHeaders(domain: "smtp.resend.com", scheme: "resend") { [("Resend-Idempotency-Key", $0)] },
        RelayHeaders(domain: "postmarkapp.com", scheme: "postmark") {
            [
                ("X-PM-TrackLinks", "None"), ("X-PM-TrackOpens", "false"), ("X-PM-KeepID", "true"),
                ("X-PM-Metadata-homing", $0),
            ]
        },
        RelayHeaders(domain: "mailgun.org", scheme: "mailgun") {
            [
                ("X-Mailgun-Track", "no"), ("X-Mailgun-Track-Clicks", "no"), ("X-Mailgun-Track-Opens", "no"),
                ("X-Mailgun-Variables", #"{"homing":"\#($0)"}"#),
            ]
        },
        RelayHeaders(domain: "sendgrid.net", scheme: "sendgrid") {
            let off = #"{"settings":{"enable":0}}"#
            return [
                (
                    "X-SMTPAPI",
                    #"{"filters":{"clicktrack":\#(off),"opentrack":\#(off)},"unique_args":{"homing":"\#($0)"}}"#
                )
            ]
        },
        RelayHeaders(domain: "smtp-relay.brevo.com", scheme: "brevo") { [("X-Mailin-custom", $0)] },
        RelayHeaders(domain: "mailjet.com", scheme: "mailjet") {
            [("X-Mailjet-TrackClick", "0"), ("X-Mailjet-TrackOpen", "0"), ("X-MJ-CustomID", $0)]
        },
        RelayHeaders(domain: "sparkpostmail.com", scheme: "sparkpost") {
            let options = #"{"click_tracking":false,"open_tracking":false,"transactional":true}"#
            return [("X-MSYS-API", #"{"options":\#(options),"metadata":{"homing":"\#($0)"}}"#)]
        },
        // The service keeps nothing else beside a mail; the header is that of mails which leave over HTTPS.
        RelayHeaders(domain: "tem.scaleway.com", scheme: "scaleway") { [("X-Homing-Mail", $0)] },
        RelayHeaders(domain: "mailersend.net", scheme: "mailersend") { [("X-MailerSend-Tags", "\"\($0)\"")] },
        RelayHeaders(domain: "smtp.mailtrap.io", scheme: nil) { [("X-MT-Custom-Variables", #"{"homing":"\#($0)"}"#)] },
    ]
}

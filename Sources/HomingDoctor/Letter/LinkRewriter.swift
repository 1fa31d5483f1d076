// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// A service that puts links of its own in the place of ours, or an invisible picture into the letter. A row each.
struct LinkRewriter: Sendable {
    enum Side: Sendable {
        /// It belongs to the way on which mails leave, and can be told to stop.
        case relay
        /// It belongs to the reader, whose employer or mail program looks at each link first.
        case receiver
    }

    let name: String
    let side: Side
    /// The ends of its own hosts.
    private let hosts: [String]
    /// What the path has at its beginning, also on a host of the sender's domain that leads to the service.
    private let paths: [String]
    private let pixels: [String]
    /// Fields that it writes into the mails that go through it, in lower case.
    private let fields: [String]

    private init(
        _ name: String, _ side: Side = .relay, hosts: [String], paths: [String] = [], pixels: [String] = [],
        fields: [String] = []
    ) {
        self.name = name
        self.side = side
        self.hosts = hosts
        self.paths = paths
        self.pixels = pixels
        self.fields = fields
    }

    static let all = [
        LinkRewriter(
            "Amazon SES", hosts: ["awstrack.me"], pixels: ["/I0/"], fields: ["x-ses-outgoing"]),
        LinkRewriter("Resend", hosts: ["resend-clicks.com", "resend-clicks-a.com"], paths: ["/CL0/"]),
        LinkRewriter(
            "Postmark", hosts: ["pstmrk.it"], paths: ["/3s/"], pixels: ["/open"], fields: ["x-pm-message-id"]),
        LinkRewriter(
            "Mailgun", hosts: [], paths: ["/c/eJ"], pixels: ["/o/eJ"], fields: ["x-mailgun-sid"]),
        LinkRewriter(
            "SendGrid", hosts: ["ct.sendgrid.net"], paths: ["/ls/click", "/wf/click"], pixels: ["/wf/open"],
            fields: ["x-sg-eid"]),
        LinkRewriter(
            "Brevo", hosts: ["sendibt2.com", "sendibt3.com", "sendibm1.com", "sendibm2.com", "sendibm3.com"],
            paths: ["/tr/cl/", "/mk/cl/"], pixels: ["/tr/op/", "/mk/op/"], fields: ["x-mailin-eid"]),
        LinkRewriter("Mailjet", hosts: ["mjt.lu"], paths: ["/lnk/"], pixels: ["/oo/"], fields: ["x-mj-mid"]),
        LinkRewriter("SparkPost", hosts: ["spgo.io"], paths: ["/f/a/"], pixels: ["/q/"], fields: ["x-msfbl"]),
        LinkRewriter("Mandrill", hosts: ["mandrillapp.com"], paths: ["/track/click"], pixels: ["/track/open"]),
        LinkRewriter(
            "Microsoft's Safe Links", .receiver,
            hosts: ["safelinks.protection.outlook.com", "safelinks.protection.office365.us"]),
        LinkRewriter(
            "Proofpoint's URL Defense", .receiver,
            hosts: ["urldefense.com", "urldefense.us", "urldefense.proofpoint.com"]),
        LinkRewriter("Barracuda's link protection", .receiver, hosts: ["linkprotect.cudasvc.com"]),
        LinkRewriter("Mimecast", .receiver, hosts: ["mimecastprotect.com", "mimecast.com"]),
        LinkRewriter("Cisco's secure web", .receiver, hosts: ["secure-web.cisco.com"]),
        LinkRewriter("Google", .receiver, hosts: ["www.google.com"]),
    ]

    /// Who has made a link.
    static func owner(of url: LetterURL) -> LinkRewriter? {
        all.first { $0.isHost(of: url) } ?? all.first { row in row.paths.contains { url.path.hasPrefix($0) } }
    }

    /// Who has made a picture.
    static func owner(ofPicture url: LetterURL) -> LinkRewriter? {
        all.first { $0.isHost(of: url) } ?? all.first { row in row.pixels.contains { url.path.hasPrefix($0) } }
    }

    /// Whose relay a letter went through.
    static func relay(of letter: MIMEPart) -> LinkRewriter? {
        all.first { row in row.fields.contains { letter.value($0) != nil } }
    }

    private func isHost(of url: LetterURL) -> Bool {
        hosts.contains { url.host == $0 || url.host.hasSuffix(".\($0)") }
    }
}

/// Host and path of a link in a letter.
struct LetterURL: Sendable, Hashable {
    /// Byte for byte.
    let text: String
    /// In lower case, without a port.
    let host: String
    let path: String

    /// Nil for what is no link to the web.
    init?(_ text: String) {
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefixFoldingASCII($0) }) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        self.text = text
        self.host = ASCII.lowercased(host.hasPrefix("[") ? host : host.prefix { $0 != ":" })
        path = String(rest.dropFirst(authority.count).prefix { $0 != "?" && $0 != "#" })
        guard !self.host.isEmpty else { return nil }
    }

    static func == (left: LetterURL, right: LetterURL) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Of one part. A letter of ours has few.
    static let mostLinks = 2_000

    /// The links that stand in a text as such.
    static func all(in text: String) -> [LetterURL] { ranges(in: text).compactMap { LetterURL(String(text[$0])) } }

    static func ranges(in text: String) -> [Range<String.Index>] {
        var ranges: [Range<String.Index>] = []
        let scalars = text.unicodeScalars
        var index = scalars.startIndex
        while index < scalars.endIndex, ranges.count < mostLinks {
            guard scalars[index] == "h" || scalars[index] == "H" else {
                index = scalars.index(after: index)
                continue
            }
            let rest = text[index...]
            guard rest.hasPrefixFoldingASCII("https://") || rest.hasPrefixFoldingASCII("http://") else {
                index = scalars.index(after: index)
                continue
            }
            var end =
                scalars[index...].firstIndex {
                    $0.properties.isWhitespace || "<>\"\u{0}".unicodeScalars.contains($0)
                } ?? scalars.endIndex
            while end > index {
                let before = scalars.index(before: end)
                guard ".,;:!?)'".unicodeScalars.contains(scalars[before]) else { break }
                end = before
            }
            ranges.append(index..<end)
            index = end
        }
        return ranges
    }
}

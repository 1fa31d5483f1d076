// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts
internal import HomingWire

/// The way back to the app: a link that looks like a button and names its host before anybody leaves (OWASP ASVS 5.0,
/// 3.7.3).
struct ContinueLink {
    let href: String

    /// The host in the form of the address bar, port included.
    let host: String

    /// What the page's script reports when the link is followed; nil for nothing.
    var report: String?

    /// - Returns: nil unless the target is a web address with a plain host, so that no other scheme ever becomes a link
    ///   on our page. Every URL that was checked for the code's request passes.
    init?(_ href: String?) {
        guard let href, let host = Self.host(of: href) else { return nil }
        self.href = href
        self.host = host
    }

    /// - Parameter id: the id of the sentence that names the host; a second link on the same page needs another one.
    func html(
        _ label: String, in frame: PageFrame, emphasis: Emphasis = .primary, describedBy id: String = "leads-to"
    ) -> HTML {
        """
        <a class="button\(emphasis.suffix)" href="\(href)" rel="noreferrer" aria-describedby="\(id)"\
        \(report.map { " data-report=\"\($0)\"" as HTML } ?? "")>\(label)</a>
        <p class="note center" id="\(id)">\(leadsTo(frame))</p>
        """
    }

    /// The same as a link within the text, beside the page's own button.
    func plain(_ label: String, in frame: PageFrame) -> HTML {
        """
        <p class="beside"><a class="open" href="\(href)" rel="noreferrer" aria-describedby="leads-to">\(label)</a>\
        <span id="leads-to">\(leadsTo(frame))</span></p>

        """
    }

    private func leadsTo(_ frame: PageFrame) -> HTML {
        frame.placeholders.filling(.host, with: host).fillEscaping(frame.text.shared.leadsTo)
    }

    /// The host. The scheme may be in any case (RFC 3986 section 3.1).
    private static func host(of href: String) -> String? {
        guard let scheme = ["https://", "http://"].first(where: { href.hasPrefixFoldingASCII($0) }) else { return nil }
        let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        let host = href.utf8.dropFirst(scheme.utf8.count).prefix { !ends.contains($0) }
        guard !host.isEmpty, host.allSatisfy(isHostByte) else { return nil }
        return String(decoding: host, as: UTF8.self)
    }

    /// Whether a byte is a letter, a digit, a hyphen or a dot, or belongs to an IP literal or a port.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        ASCII.isLetterOrDigit(byte) || ".-:[]".utf8.contains(byte)
    }
}

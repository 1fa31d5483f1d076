// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCurl
internal import HomingWire

/// Judges the answers at the base of all links: whether the server lives, and whether its action page is a page.
package struct PublicURLCheck: Sendable {
    package let publicURL: String
    /// Host and port of every link domain.
    package let linkHosts: [String]

    package init(publicURL: String, linkHosts: [String]) {
        self.publicURL = publicURL
        self.linkHosts = linkHosts
    }

    package var subject: String { publicURL }
    /// Without its port.
    var host: String { String(parts.host) }
    package var healthURL: String { publicURL + "/healthz" }
    package var actionURL: String { publicURL + "/__/auth/action" }
    package var openURL: String { publicURL + "/_/open" }

    /// The name in this server's greeting to a relay: its own name, if it has one.
    package var heloName: String {
        let host = parts.host
        let isName = host.utf8.contains(where: ASCII.isLetter) && !host.utf8.contains(0x5B)
        return isName ? String(host) : "localhost"
    }

    /// Scheme and authority of a URL without a path.
    private var parts: (isSecure: Bool, host: Substring) {
        let isSecure = publicURL.utf8.starts(with: "https://".utf8)
        let authority = publicURL.dropFirst(isSecure ? "https://".count : "http://".count)
        return (isSecure, Self.host(of: authority))
    }

    private static func host(of authority: Substring) -> Substring {
        guard authority.utf8.last != UInt8(ascii: "]"), let colon = authority.utf8.lastIndex(of: UInt8(ascii: ":"))
        else {
            return authority
        }
        return authority[..<colon]
    }

    /// The findings about the settings alone.
    package func settingFindings() -> [Finding] {
        var findings: [Finding] = []
        let (isSecure, host) = parts
        let isLoopback =
            ["localhost", "127.0.0.1", "[::1]"].contains { host.utf8.elementsEqual($0.utf8) }
            || host.hasSuffix(".localhost")
        if !isSecure, isLoopback {
            findings.append(
                .warning(
                    "PUBLIC_URL_IS_LOCAL", subject, "links in emails lead to the machine that they are opened on",
                    "Set HOMING_PUBLIC_URL to https://HOST before anybody but you gets an email."))
        } else if !isSecure {
            findings.append(
                .problem(
                    "PUBLIC_URL_NOT_HTTPS", subject, "codes travel over plain http",
                    "Put TLS in front and set HOMING_PUBLIC_URL to https://…"))
        }
        if linkHosts.contains(where: { Self.host(of: $0[...]).utf8.elementsEqual(host.utf8) }) {
            findings.append(
                .warning(
                    "PUBLIC_URL_IS_LINK_DOMAIN", subject, "the public URL's host is a link domain too",
                    "Use another host for HOMING_PUBLIC_URL: on iOS a tap on the same host never opens an app."))
        }
        return findings
    }

    package func healthFindings(_ answer: WebAnswer) -> [Finding] {
        switch answer {
        case .unreachable(let reason):
            return [
                .problem(
                    "PUBLIC_URL_UNREACHABLE", subject, reason,
                    "Start the server and whatever stands before it, and see that DNS leads there.")
            ]
        case .answered(let response) where response.status == 200:
            return [.ok("PUBLIC_URL_OK", subject, "/healthz answers 200")]
        case .answered(let response):
            return [
                .problem(
                    "PUBLIC_URL_STATUS", subject, "/healthz answers \(response.status)\(Self.target(response))",
                    "Pass every path of this host to the server's public listener.")
            ]
        }
    }

    /// Without a code the page must explain by itself that the link is broken.
    package func actionFindings(_ answer: WebAnswer) -> [Finding] {
        guard case .answered(let response) = answer else { return [] }
        if response.isRedirect {
            return [
                .problem(
                    "ACTION_PAGE_REDIRECTED", subject,
                    "/__/auth/action answers \(response.status)\(Self.target(response))",
                    "Serve the page on this host itself: a cached redirect would lead old links astray.")
            ]
        }
        guard (400...410).contains(response.status) else {
            return [
                .problem(
                    "ACTION_PAGE_STATUS", subject,
                    "/__/auth/action without a code answers \(response.status) instead of 400",
                    "Pass /__/auth/ to this server; something else answers there.")
            ]
        }
        return [.ok("ACTION_PAGE_OK", subject, "/__/auth/action refuses a link without a code")]
    }

    /// Without a link the page for iPhones explains that there is none; this page must be on this host, too.
    package func openFindings(_ answer: WebAnswer) -> [Finding] {
        guard case .answered(let response) = answer else { return [] }
        guard response.status == 400 else {
            return [
                .problem(
                    "OPEN_PAGE_STATUS", subject,
                    "/_/open without a link answers \(response.status)\(Self.target(response)) instead of 400",
                    "Pass /_/ to this server; iPhones are sent there when a link did not open the app by itself.")
            ]
        }
        return [.ok("OPEN_PAGE_OK", subject, "/_/open refuses to open nothing")]
    }

    private static func target(_ response: WebAnswer.Response) -> String {
        response.isRedirect ? " to \(response.location ?? "nowhere")" : ""
    }
}

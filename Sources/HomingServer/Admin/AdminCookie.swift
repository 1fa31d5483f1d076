// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore

/// The cookie of a session on the admin listener, and that of a browser which has asked for a link.
///
/// Cookies ignore ports: with TLS the `__Host-` prefix keeps other hosts from setting this one (RFC 6265bis section
/// 4.1.3.2), and without TLS a service on another port of the same host may read and set it.
struct AdminCookie: Sendable {
    /// The number of cookies of this name that are read; only an attacker plants more.
    private static let mostOfOneName = 4

    private let name: String
    private let browserName: String
    private let attributes: String

    /// Whether people reach the listener by TLS.
    let isSecure: Bool

    init(isSecure: Bool) {
        self.isSecure = isSecure
        name = isSecure ? "__Host-homing_admin" : "homing_admin"
        browserName = isSecure ? "__Host-homing_browser" : "homing_browser"
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// The header that sets the cookie.
    func setting(_ secret: String) -> String {
        "\(name)=\(secret)\(attributes); Max-Age=\(AdminSessions.sessionSeconds)"
    }

    /// The header that deletes the cookie.
    var deletion: String { "\(name)=\(attributes); Max-Age=0" }

    /// The session of a request; nil when its cookie opens nothing.
    func session(of request: HTTPFields, _ homing: Homing) async throws -> AdminSession? {
        for secret in values(of: name, request).prefix(Self.mostOfOneName) {
            if let session = try await homing.adminSessions.find(secret) { return session }
        }
        return nil
    }

    /// The header that remembers a browser for as long as a mailed link lives.
    func remembering(browser secret: String) -> String {
        "\(browserName)=\(secret)\(attributes); Max-Age=\(Operators.linkSeconds)"
    }

    /// The secret of the browser that asked for a link.
    func browser(of request: HTTPFields) -> String? { values(of: browserName, request).first }

    private func values(of name: String, _ headers: HTTPFields) -> [String] {
        headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }.utf8
            return pair.starts(with: "\(name)=".utf8) ? String(Substring(pair.dropFirst(name.utf8.count + 1))) : nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HTTPTypes
package import HomingCore
import HomingWire
package import Hummingbird

/// The cookie of a session on the admin listener, and that of a browser which has asked for a link.
///
/// Cookies ignore ports: with TLS the `__Host-` prefix keeps other hosts from setting this one (RFC 6265bis section
/// 4.1.3.2), and without TLS a service on another port of the same host may read and set it.
package struct AdminCookie: Sendable {
    /// The number of cookies of this name that are read; only an attacker plants more.
    private static let mostOfOneName = 4

    private let name: String
    private let browserName: String
    private let codeName: String
    private let wantedName: String
    private let attributes: String

    /// Whether people reach the listener by TLS.
    let isSecure: Bool

    init(isSecure: Bool) {
        self.isSecure = isSecure
        let prefix = isSecure ? "__Host-homing_" : "homing_"
        name = prefix + "admin"
        browserName = prefix + "browser"
        codeName = prefix + "code"
        wantedName = prefix + "wanted"
        attributes = "; Path=/; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// The header that sets the cookie.
    func setting(_ secret: String) -> String {
        "\(name)=\(secret)\(attributes); Max-Age=\(AdminSessions.sessionSeconds)"
    }

    /// The header that deletes the cookie.
    var deletion: String { "\(name)=\(attributes); Max-Age=0" }

    /// The session of a request; nil when its cookie opens nothing.
    package func session(of request: HTTPFields, _ homing: Homing) async throws -> AdminSession? {
        for secret in values(of: name, request).prefix(Self.mostOfOneName) {
            if let session = try await homing.adminSessions.find(secret) { return session }
        }
        return nil
    }

    /// The header that remembers a browser for as long as a mailed link lives.
    package func remembering(browser secret: String) -> String {
        "\(browserName)=\(secret)\(attributes); Max-Age=\(Operators.linkSeconds)"
    }

    /// The secret of the browser that asked for a link.
    func browser(of request: HTTPFields) -> String? { values(of: browserName, request).first }

    // MARK: On the way to a session

    /// The header that keeps the secret of somebody who has yet to type a code.
    package func waiting(_ secret: String) -> String {
        "\(codeName)=\(secret)\(attributes); Max-Age=\(Operators.linkSeconds)"
    }

    /// The secret of somebody who has yet to type a code.
    package func waiting(of request: HTTPFields) -> String? { values(of: codeName, request).first }

    /// The header that remembers the page of the console which somebody wanted, until the sign-in; nil for the first
    /// one, to which every sign-in leads, and for one that is too long.
    func remembering(wanted target: String) -> String? {
        guard Self.isOfConsole(target), target.utf8.count <= 1024, !["/console", "/console/"].contains(target) else {
            return nil
        }
        return "\(wantedName)=\(Base64URL.encode(Array(target.utf8)))\(attributes); Max-Age=\(Operators.linkSeconds)"
    }

    /// The page that somebody wanted. Another service on this host can write the cookie: it leads into the console
    /// only.
    func wanted(of request: HTTPFields) -> String? {
        guard let bytes = values(of: wantedName, request).first.flatMap({ Base64URL.decode($0) }) else { return nil }
        let target = String(decoding: bytes, as: UTF8.self)
        return Self.isOfConsole(target) ? target : nil
    }

    private static func isOfConsole(_ target: String) -> Bool {
        target.utf8.starts(with: "/console/".utf8)
            && target.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }
    }

    /// Answers a first factor, or the code behind it: with a session and the page that was wanted, or with the question
    /// for a code. A session that the browser had before is another one's from now on.
    package func answer(_ entry: AdminEntry, to request: Request) -> Response {
        guard !entry.awaitsCode else {
            var response = PageAnswer.redirect(to: ConsolePath.code, status: .seeOther)
            response.headers.append(HTTPField(name: .setCookie, value: waiting(entry.secret)))
            return response
        }
        let wanted = entry.page == .console ? self.wanted(of: request.headers) : nil
        var response = PageAnswer.redirect(to: wanted ?? entry.page.path, status: .seeOther)
        response.headers.append(HTTPField(name: .setCookie, value: setting(entry.secret)))
        for name in [codeName, wantedName] where !values(of: name, request.headers).isEmpty {
            response.headers.append(HTTPField(name: .setCookie, value: "\(name)=\(attributes); Max-Age=0"))
        }
        return response
    }

    private func values(of name: String, _ headers: HTTPFields) -> [String] {
        headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }.utf8
            return pair.starts(with: "\(name)=".utf8) ? String(Substring(pair.dropFirst(name.utf8.count + 1))) : nil
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCurl

/// Compares the served association file with the file that this server has for the host.
package struct AssociationFileCheck: Sendable {
    package enum Kind: String, Sendable {
        case apple = "APPLE"
        case android = "ANDROID"
    }

    package let kind: Kind
    package let subject: String
    package let path: String
    /// Nil when the host has no file of this kind.
    package let expected: String?

    package init(kind: Kind, subject: String, path: String, expected: String?) {
        self.kind = kind
        self.subject = subject
        self.path = path
        self.expected = expected
    }

    /// The greatest part of Apple's file that devices read, uncompressed.
    package static let sizeLimit = 128 * 1_024

    /// The checks of all paths on a host.
    package static func all(for files: ExpectedFiles, subject: String) -> [AssociationFileCheck] {
        [
            .init(
                kind: .apple, subject: subject, path: "/.well-known/apple-app-site-association", expected: files.apple),
            .init(kind: .apple, subject: subject, path: "/apple-app-site-association", expected: files.apple),
            .init(kind: .android, subject: subject, path: "/.well-known/assetlinks.json", expected: files.android),
        ]
    }

    package func findings(_ answer: WebAnswer) -> [Finding] {
        switch answer {
        case .unreachable(let reason):
            return [
                problem("UNREACHABLE", "\(path): \(reason)", "Make the host answer, from here and from the internet.")
            ]
        case .answered(let response):
            guard let expected else { return withoutFile(response) }
            guard !response.isRedirect else { return [redirected(response)] }
            guard response.status == 200 else {
                return [
                    problem(
                        "STATUS", "\(path) answers \(response.status)",
                        "Pass \(path) to this server with the Host header unchanged, without a login or a block in front."
                    )
                ]
            }
            let flaws = outside(response) + inside(response.body, Array(expected.utf8))
            return flaws.isEmpty ? [fine(response.body.count)] : flaws
        }
    }

    private func redirected(_ response: WebAnswer.Response) -> Finding {
        problem(
            "REDIRECTED", "\(path) answers \(response.status) to \(response.location ?? "nowhere")",
            "Answer this path with 200 itself: devices follow no redirect, not even to https or www.")
    }

    /// Flaws that do not depend on the file's content.
    private func outside(_ response: WebAnswer.Response) -> [Finding] {
        var findings: [Finding] = []
        if !response.isJSON {
            findings.append(
                problem(
                    "CONTENT_TYPE", "\(path) is served as \(response.contentType ?? "nothing in particular")",
                    "Serve it as application/json."))
        }
        if response.isCut || response.body.count > Self.sizeLimit {
            findings.append(
                problem(
                    "TOO_LARGE", "\(path) has more than \(Self.sizeLimit) bytes",
                    "Keep it at 128 KB or less, uncompressed."))
        }
        return findings
    }

    private func inside(_ served: [UInt8], _ expected: [UInt8]) -> [Finding] {
        guard served != expected else { return [] }
        let differences: [Finding]?
        switch kind {
        case .apple:
            let file = AppleFile(parsing: served)
            differences = AppleFile(parsing: expected).flatMap { file?.differences(from: $0, subject, path: path) }
        case .android:
            let file = AndroidFile(parsing: served)
            differences = AndroidFile(parsing: expected).flatMap { file?.differences(from: $0, subject, path: path) }
        }
        guard let differences else {
            return [
                problem(
                    "NOT_JSON", "\(path) is not the JSON that an association file is",
                    "Serve the file from this server: pass \(path) through unchanged.")
            ]
        }
        guard differences.isEmpty else { return differences }
        return [
            problem(
                "RULES_DIFFER", "\(path) names the right apps, but other paths than this server's file",
                "Serve the file from this server, or copy it anew; a cache in front may hold an old one.")
        ]
    }

    private func withoutFile(_ response: WebAnswer.Response) -> [Finding] {
        guard response.status != 404, response.status != 410 else {
            return [
                .ok("\(kind.rawValue)_FILE_ABSENT", subject, "\(path) answers \(response.status): no app is registered")
            ]
        }
        return [
            .warning(
                "\(kind.rawValue)_FILE_UNEXPECTED", subject,
                "\(path) answers \(response.status), though this server has no such file for the host",
                "Register the app (homing app add), or see who answers on this host.")
        ]
    }

    private func fine(_ count: Int) -> Finding {
        .ok("\(kind.rawValue)_FILE_OK", subject, "\(path) is right: \(count) bytes")
    }

    private func problem(_ code: String, _ seen: String, _ advice: String) -> Finding {
        .problem("\(kind.rawValue)_FILE_\(code)", subject, seen, advice)
    }
}

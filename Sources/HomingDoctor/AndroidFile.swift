// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

/// The content of an assetlinks.json: the packages that may open all links of the host, with their certificates, and
/// those that may fill in its passwords.
package struct AndroidFile: Sendable, Equatable {
    /// SHA-256 fingerprints in capitals, by package.
    package private(set) var fingerprints: [String: Set<String>] = [:]
    package private(set) var credentialPackages: Set<String> = []

    private static let relation = "delegate_permission/common.handle_all_urls"
    private static let credentials = "delegate_permission/common.get_login_creds"

    /// Nil when the bytes are no JSON array.
    package init?(parsing bytes: [UInt8]) {
        guard let statements = try? JSON.parse(bytes).arrayValue else { return nil }
        for statement in statements.compactMap(\.objectValue) {
            let relations = (statement["relation"]?.arrayValue ?? []).compactMap(\.stringValue)
            guard let target = statement["target"]?.objectValue,
                target["namespace"]?.stringValue == "android_app", let package = target["package_name"]?.stringValue
            else { continue }
            if relations.contains(Self.credentials) { credentialPackages.insert(package) }
            guard relations.contains(Self.relation) else { continue }
            let prints = (target["sha256_cert_fingerprints"]?.arrayValue ?? []).compactMap(\.stringValue)
            fingerprints[package, default: []].formUnion(prints.map { $0.uppercased() })
        }
    }

    /// The differences between the served file and `expected`.
    package func differences(from expected: AndroidFile, _ subject: String, path: String) -> [Finding] {
        var findings: [Finding] = []
        for (package, wanted) in expected.fingerprints.sorted(by: { $0.key < $1.key }) {
            guard let served = fingerprints[package] else {
                findings.append(
                    .problem(
                        "ANDROID_APP_MISSING", subject, "\(path) does not name \(package)",
                        "Serve the file from this server (pass \(path) through), or add a statement for the package."))
                continue
            }
            for print in wanted.subtracting(served).sorted() {
                findings.append(
                    .problem(
                        "ANDROID_FINGERPRINT_MISSING", subject, "\(path) names \(package) without \(print)",
                        "Add the fingerprint to sha256_cert_fingerprints, or serve the file from this server."))
            }
            for print in served.subtracting(wanted).sorted() {
                findings.append(
                    .warning(
                        "ANDROID_FINGERPRINT_EXTRA", subject,
                        "\(path) trusts \(Printable.ascii(print)) for \(package), which is not registered here",
                        "Register it with homing app add android, or take it out of the file."))
            }
        }
        let credentials = expected.credentialPackages.subtracting(credentialPackages).sorted()
        if !credentials.isEmpty, findings.isEmpty {
            findings.append(
                .warning(
                    "ANDROID_CREDENTIALS_MISSING", subject,
                    "\(path) lets \(credentials.joined(separator: ", ")) open links but not fill in passwords",
                    "Add \(Self.credentials) to the statement's relation, or serve the file from this server."))
        }
        for package in Set(fingerprints.keys).subtracting(expected.fingerprints.keys).sorted() {
            findings.append(
                .warning(
                    "ANDROID_APP_EXTRA", subject,
                    "\(path) names \(Printable.ascii(package)), which is not registered here",
                    "Register it with homing app add android, or take it out of the file."))
        }
        return findings
    }
}

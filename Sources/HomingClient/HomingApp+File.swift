// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

extension HomingApp {
    /// Configures the app from `Homing-Info.plist` or `homing.json` in the main bundle.
    ///
    /// - Throws: ``HomingConfigurationError`` when there is no such file or it lacks something.
    public static func configure() throws(HomingConfigurationError) {
        let files = [("Homing-Info", "plist"), ("homing", "json")]
        guard let file = files.lazy.compactMap({ Bundle.main.url(forResource: $0, withExtension: $1) }).first else {
            throw HomingConfigurationError(
                "There is neither Homing-Info.plist nor homing.json in the app's main bundle. Add one with the keys "
                    + "endpoint and apiKey, or call HomingApp.configure(endpoint:apiKey:).")
        }
        try configure(contentsOf: file)
    }

    /// Configures an app from a property list or a JSON file with the keys `endpoint` and `apiKey`, and `linkDomains`
    /// where the app has some that are not in its `Info.plist`.
    ///
    /// ```json
    /// {"endpoint": "https://auth.example.com", "apiKey": "hk_…", "linkDomains": ["https://links.example.com"]}
    /// ```
    ///
    /// - Parameters:
    ///   - file: a file URL; `.json` means JSON, everything else a property list.
    ///   - name: for ``app(name:)``, when there are several.
    ///   - sessionStore: where the signed-in user is kept; nil means the Keychain, and a file where there is none.
    /// - Throws: ``HomingConfigurationError`` when the file cannot be read or lacks something.
    @discardableResult
    public static func configure(
        contentsOf file: URL, name: String = HomingApp.defaultName, sessionStore: (any HomingSessionStore)? = nil
    ) throws(HomingConfigurationError) -> HomingApp {
        let (options, domains) = try options(in: file)
        return configure(
            name: name, endpoint: options.endpoint, apiKey: options.apiKey ?? "", linkDomains: domains,
            sessionStore: sessionStore)
    }

    static func options(in file: URL) throws(HomingConfigurationError) -> (HomingOptions, LinkDomains?) {
        let values = try values(in: file)
        func text(_ key: String) throws(HomingConfigurationError) -> String {
            guard let value = values[key] as? String, !value.isEmpty else {
                throw HomingConfigurationError("\(file.lastPathComponent) has no \(key). It needs endpoint and apiKey.")
            }
            return value
        }
        let endpoint = try text("endpoint")
        guard let url = URL(string: endpoint), url.scheme == "https" || url.scheme == "http", url.host != nil else {
            throw HomingConfigurationError(
                "The endpoint in \(file.lastPathComponent) is not a URL such as https://auth.example.com: \(endpoint)")
        }
        let domains = values["linkDomains"].map { $0 as? [String] }
        if case .some(.none) = domains {
            throw HomingConfigurationError("linkDomains in \(file.lastPathComponent) is not a list of URLs.")
        }
        let options = HomingOptions(endpoint: url, apiKey: try text("apiKey"))
        return (options, (domains ?? nil).map { LinkDomains($0) })
    }

    private static func values(in file: URL) throws(HomingConfigurationError) -> [String: Any] {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw HomingConfigurationError("\(file.path) cannot be read: \(error.localizedDescription)")
        }
        if file.pathExtension == "json" {
            guard let object = (try? JSON.parse(data))?.objectValue else {
                throw HomingConfigurationError("\(file.lastPathComponent) is not a JSON object.")
            }
            return object.members.reduce(into: [:]) { values, member in
                values[member.key] = plain(member.value)
            }
        }
        guard
            let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { throw HomingConfigurationError("\(file.lastPathComponent) is not a property list with a dictionary.") }
        return values
    }

    /// Texts and lists of texts; whatever else stands there is neither.
    private static func plain(_ value: JSON) -> Any {
        if let text = value.stringValue { return text }
        return value.arrayValue.map { $0.map { $0.stringValue ?? "" } } ?? false
    }
}

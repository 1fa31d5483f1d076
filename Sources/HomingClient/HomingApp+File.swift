// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

extension HomingApp {
    /// Configures the app from `Homing-Info.plist` or `homing.json` in the main bundle.
    ///
    /// - Throws: ``ConfigurationError`` when there is no such file or it lacks something.
    public static func configure() throws(ConfigurationError) {
        let files = [("Homing-Info", "plist"), ("homing", "json")]
        guard let file = files.lazy.compactMap({ Bundle.main.url(forResource: $0, withExtension: $1) }).first else {
            throw ConfigurationError(
                "There is neither Homing-Info.plist nor homing.json in the app's main bundle. Add one with the keys "
                    + "endpoint and apiKey, or call HomingApp.configure(endpoint:apiKey:).")
        }
        try configure(contentsOf: file)
    }

    /// Configures an app from a property list or a JSON file with the keys `endpoint` and `apiKey`.
    ///
    /// ```json
    /// {"endpoint": "https://auth.example.com", "apiKey": "hk_…"}
    /// ```
    ///
    /// - Parameters:
    ///   - file: a file URL; `.json` means JSON, everything else a property list.
    ///   - name: for ``app(name:)``, when there are several.
    /// - Throws: ``ConfigurationError`` when the file cannot be read or lacks something.
    public static func configure(
        contentsOf file: URL, name: String = HomingApp.defaultName
    ) throws(ConfigurationError) {
        let values = try strings(in: file)
        func value(_ key: String) throws(ConfigurationError) -> String {
            guard let value = values[key], !value.isEmpty else {
                throw ConfigurationError("\(file.lastPathComponent) has no \(key). Its keys are endpoint and apiKey.")
            }
            return value
        }
        let endpoint = try value("endpoint")
        guard let url = URL(string: endpoint), url.scheme == "https" || url.scheme == "http", url.host != nil else {
            throw ConfigurationError(
                "The endpoint in \(file.lastPathComponent) is not a URL such as https://auth.example.com: \(endpoint)")
        }
        configure(name: name, endpoint: url, apiKey: try value("apiKey"))
    }

    private static func strings(in file: URL) throws(ConfigurationError) -> [String: String] {
        let data: Data
        do {
            data = try Data(contentsOf: file)
        } catch {
            throw ConfigurationError("\(file.path) cannot be read: \(error.localizedDescription)")
        }
        if file.pathExtension == "json" {
            guard let object = (try? JSON.parse(data))?.objectValue else {
                throw ConfigurationError("\(file.lastPathComponent) is not a JSON object.")
            }
            return object.members.reduce(into: [:]) { $0[$1.key] = $1.value.stringValue }
        }
        guard
            let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { throw ConfigurationError("\(file.lastPathComponent) is not a property list with a dictionary.") }
        return values.compactMapValues { $0 as? String }
    }
}

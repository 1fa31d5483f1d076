// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// The properties of an app as a form has them: each one a text.
extension RegisteredApp {
    /// A property as an operator types it, empty where the app has none. Stores and fingerprints have a line each.
    package func text(of property: Property) -> String {
        switch property {
        case .id: id
        case .teamID: teamID ?? ""
        case .appStoreID: appStoreID ?? ""
        case .customScheme: customScheme ?? ""
        case .clip: clipBundleID ?? ""
        case .stores: storeValues.map { "\($0.name.rawValue)=\($1)" }.joined(separator: "\n")
        case .fingerprints: (sha256 + sha1).joined(separator: "\n")
        }
    }

    /// Takes what an operator has typed in the place of what there was; ``check(_:)`` judges it. The id stays: an app of
    /// another id is another app.
    package mutating func set(_ property: Property, to text: String) throws(Refusal) {
        let value = text.isEmpty ? nil : text
        switch property {
        case .id: break
        // It is never taken away again: without it the app is in no association file.
        case .teamID: teamID = teamID == nil ? value : text
        case .appStoreID: appStoreID = value
        case .customScheme: customScheme = value
        case .clip: clipBundleID = value
        case .stores: stores = try Self.stores(in: text)
        case .fingerprints:
            let prints = PastedFingerprints(in: text)
            (sha256, sha1) = (prints.sha256, prints.sha1)
        }
    }

    /// Stores from lines such as `appgallery=C100000001`; nil where there is none.
    private static func stores(in text: String) throws(Refusal) -> [String: String]? {
        var stores: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) where !ASCII.trimmed(String(line)).isEmpty {
            let parts = line.split(separator: "=", maxSplits: 1).map { String(ASCII.trimmed(String($0))) }
            guard parts.count == 2 else {
                throw .invalidSetting("a line is a store's name, = and the app's id there")
            }
            stores[parts[0]] = parts[1]
        }
        return stores.isEmpty ? nil : stores
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingWire

extension DynamicLinkParameters {
    /// Takes the registered App Store id of the link's Apple app, unless the link says one itself. Without `isi`, phones
    /// that lack the app are sent to the web, also where the app is in the store.
    ///
    /// - Parameters:
    ///   - apps: those of the link's project.
    ///   - before: the link as it was; nil for a new one. Where the app is the same, nothing is taken: whoever has taken
    ///     the id out of a link meant that.
    package mutating func takeStoreID(of apps: [RegisteredApp], changing before: DynamicLinkParameters? = nil) {
        func isSame(_ one: String?, _ other: String?) -> Bool {
            switch (one, other) {
            case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
            default: one == nil && other == nil
            }
        }
        func store(of app: String?) -> String? {
            apps.first { $0.platform == .apple && isSame($0.id, app) }?.appStoreID
        }
        if let before {
            guard !isSame(before.appleApp, appleApp), isSame(before.ios.appStoreID, ios.appStoreID),
                ios.appStoreID == nil || isSame(ios.appStoreID, store(of: before.appleApp))
            else { return }
            ios.appStoreID = store(of: appleApp)
        } else if ios.appStoreID == nil {
            ios.appStoreID = store(of: appleApp)
        }
    }

    private var appleApp: String? { ios.bundleID ?? ios.ipadBundleID }
}

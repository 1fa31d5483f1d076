// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// A store of Android apps: how an operator names an app's page there, and which devices are sent to it.
package struct AndroidStore: Sendable {
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case play, appgallery, galaxy, amazon, fdroid
    }

    package let name: Name
    /// As its makers write it.
    package let title: String
    /// The marks by which a device that has the store is known: all of the first, none of the second. Nil where none
    /// tell.
    private let marks: (all: UserAgentMarks, none: UserAgentMarks)?
    /// The hosts on which its pages lie.
    private let hosts: [String]
    /// The text before an app's id in the URL of its page, and behind it.
    private let page: (before: String, behind: String)
    /// Whether an app's id there is its package.
    private let knowsPackages: Bool

    private init(
        _ name: Name, _ title: String, on marks: (all: UserAgentMarks, none: UserAgentMarks)?, hosts: [String],
        page: (before: String, behind: String), knowsPackages: Bool
    ) {
        self.name = name
        self.title = title
        self.marks = marks
        self.hosts = hosts
        self.page = page
        self.knowsPackages = knowsPackages
    }

    /// All of them. The device's own store goes first; else the Play Store, unless the app is not there; else the first
    /// in this order in which the app is.
    package static let all = [
        AndroidStore(
            .play, "Google Play", on: nil, hosts: ["play.google.com"],
            page: ("https://play.google.com/store/apps/details?id=", ""), knowsPackages: true),
        // A phone that has Google's services names them beside Huawei's.
        AndroidStore(
            .appgallery, "AppGallery", on: (.huawei, .google),
            hosts: ["appgallery.huawei.com", "appgallery.cloud.huawei.com"],
            page: ("https://appgallery.huawei.com/app/", ""), knowsPackages: false),
        AndroidStore(
            .galaxy, "Galaxy Store", on: (.samsung, []), hosts: ["galaxystore.samsung.com", "apps.samsung.com"],
            page: ("https://galaxystore.samsung.com/detail/", ""), knowsPackages: true),
        AndroidStore(
            .amazon, "Amazon Appstore", on: (.silk, []), hosts: ["www.amazon.com", "amazon.com"],
            page: ("https://www.amazon.com/gp/mas/dl/android?p=", ""), knowsPackages: true),
        AndroidStore(
            .fdroid, "F-Droid", on: nil, hosts: ["f-droid.org"], page: ("https://f-droid.org/packages/", "/"),
            knowsPackages: true),
    ]

    /// What tells of any of them: most headers have nothing of it.
    private static let telling = all.reduce(into: UserAgentMarks()) { $0.formUnion($1.marks?.all ?? []) }

    static func store(of marks: UserAgentMarks) -> Name? {
        guard !marks.isDisjoint(with: telling) else { return nil }
        return all.first { store in
            store.marks.map { marks.isSuperset(of: $0.all) && marks.isDisjoint(with: $0.none) } ?? false
        }?.name
    }

    /// The value by which an operator says that the app is not in a store.
    package static let absence = "none"

    /// What `--store` takes, for a sentence.
    package static let accepted =
        all.map(\.name.rawValue).filter { $0 != Name.play.rawValue }.joined(separator: ", ")
        + ", each with the app's id there or the URL of its page, and play=\(absence)"

    /// The URL of an app's page in the store.
    ///
    /// - Parameter value: the app's id, or the URL itself.
    func url(_ value: String) -> String {
        value.utf8.starts(with: "https://".utf8) ? value : page.before + percentEncoded(value) + page.behind
    }

    /// Refuses what is no id and no page of the store.
    func check(_ value: String, of package: String) throws(Refusal) {
        guard name != .play else {
            guard ASCII.areEqual(value, Self.absence) else {
                throw .invalidSetting(
                    "an Android app is in \(title) unless --store play=\(Self.absence) says that it is not")
            }
            return
        }
        if value.utf8.starts(with: "https://".utf8) {
            let url = try? WebURL(parsing: value)
            guard let url, url.port == nil, hosts.contains(where: { ASCII.areEqual($0, url.host.text) }) else {
                throw .invalidSetting(
                    "a page of \(title) is https on \(hosts.joined(separator: " or ")), which "
                        + "\(Printable.given(value)) is not")
            }
            return
        }
        let isID =
            (1...255).contains(value.utf8.count)
            && value.utf8.allSatisfy { ASCII.isBase64URL($0) || $0 == UInt8(ascii: ".") }
        guard isID, !knowsPackages || ASCII.areEqual(value, package) else {
            throw .invalidSetting(
                knowsPackages
                    ? "the id of \(package) in \(title) is \(package); give that, or the URL of its page"
                    : "\(Printable.given(value)) is no id of \(title); give the one in the URL of the app's page, or "
                        + "the URL")
        }
    }
}

extension RegisteredApp {
    /// The values of ``stores`` by store, for whoever shows them.
    package var storeValues: [(store: AndroidStore, value: String)] {
        AndroidStore.all.compactMap { store in stores?[store.name.rawValue].map { (store, $0) } }
    }

    /// The URL of the app's page in the store to which a device is sent where the app is absent; nil for the Play
    /// Store, whose URL has a referrer.
    ///
    /// - Parameter name: the device's own store, where its header tells.
    func storePage(on name: AndroidStore.Name?) -> String? {
        guard let stores else { return nil }
        let pages = AndroidStore.all.compactMap { store -> (name: AndroidStore.Name, url: String)? in
            guard let value = stores[store.name.rawValue], store.name != .play else { return nil }
            return (store.name, store.url(value))
        }
        if let own = pages.first(where: { $0.name == name }) { return own.url }
        return stores[AndroidStore.Name.play.rawValue] == nil ? nil : pages.first?.url
    }
}

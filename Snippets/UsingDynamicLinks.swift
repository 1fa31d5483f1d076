// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingLinks

@MainActor
final class Places {
    func show(_ place: URL) { print(place.absoluteString) }
    func askForUpdate() { print("Please update the app.") }
    func tell(_ message: String) { print(message) }

    // snippet.take
    func open(_ url: URL) async {
        do {
            guard let link = try await DynamicLinks.dynamicLinks().handleUniversalLink(url) else { return }
            go(to: link)
        } catch {
            tell(error.message)
        }
    }
    // snippet.end

    func openWithHandler(_ url: URL) {
        // snippet.completion
        let isOurs = DynamicLinks.dynamicLinks().handleUniversalLink(url) { link, error in
            if let link {
                self.go(to: link)
            } else if let error {
                self.tell(error.localizedDescription)
            }
        }
        // snippet.end
        print(isOurs)
    }

    func openScheme(_ url: URL) {
        // snippet.scheme
        if let link = DynamicLinks.dynamicLinks().dynamicLink(fromCustomSchemeURL: url) { go(to: link) }
        // snippet.end
    }

    // snippet.go
    func go(to link: DynamicLink) {
        guard let place = link.url, place.host == "www.example.com" else { return }
        let running = Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String ?? "0"
        if let least = link.minimumAppVersion, running.compare(least, options: .numeric) == .orderedAscending {
            return askForUpdate()
        }
        show(place)
    }
    // snippet.end

    // snippet.pending
    func pasted(_ text: String) async {
        do {
            let links = DynamicLinks.dynamicLinks()
            guard let link = try await links.checkForPendingDynamicLink(in: text) else { return }
            go(to: link)
        } catch {
            tell(error.message)
        }
    }
    // snippet.end

    // snippet.make
    func invitation(to place: URL) async throws -> URL? {
        guard let parts = DynamicLinkComponents(link: place, domainURIPrefix: "https://links.example.com") else {
            return nil
        }
        let apple = DynamicLinkIOSParameters(bundleID: "com.example.ios")
        apple.appStoreID = "123456789"
        parts.iOSParameters = apple
        parts.androidParameters = DynamicLinkAndroidParameters(packageName: "com.example.android")

        let preview = DynamicLinkSocialMetaTagParameters()
        preview.title = "The keeper of the light"
        parts.socialMetaTagParameters = preview

        let (short, warnings) = try await parts.shorten()
        warnings.forEach { print($0) }
        return short
    }
    // snippet.end

    func long(_ parts: DynamicLinkComponents) {
        // snippet.long
        if let long = parts.url { show(long) }
        // snippet.end
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    // snippet.paste
    @available(iOS 16, macOS 13, *)
    struct PasteLink: View {
        let places: Places

        var body: some View {
            PasteButton(payloadType: String.self) { texts in
                guard let text = texts.first else { return }
                Task { @MainActor in await places.pasted(text) }
            }
        }
    }
// snippet.end
#endif

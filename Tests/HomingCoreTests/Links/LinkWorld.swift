// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import HomingWire

/// A shop with an Apple and an Android app, and a neighbour on the same server, with everything that links need.
struct LinkWorld {
    static let publicURL = "https://auth.shop.example"
    static let handler = publicURL + "/__/auth/action"
    static let linkBase = "https://links.shop.example"
    static let appStoreID = "123456789"
    static let bundleID = "example.shop.ios"
    static let ipadBundleID = "example.shop.ipad"
    static let packageName = "example.shop.android"
    static let code = String(repeating: "Ab3_-9", count: 9)

    let project: Project
    let neighbour: Project

    init(callbackURI: String? = nil) throws {
        var settings = ProjectSettings()
        if let callbackURI { try settings.set("notification.sendEmail.callbackUri", to: callbackURI) }
        let print = String(repeating: "A1", count: 32)
        project = Project(
            linksOf: "shop",
            apps: [
                try RegisteredApp(
                    platform: .apple, id: Self.bundleID, teamID: "TEAMTEAM01", appStoreID: Self.appStoreID,
                    customScheme: "shop"
                ).validated(),
                try RegisteredApp(platform: .apple, id: Self.ipadBundleID, teamID: "TEAMTEAM01").validated(),
                // A foreign database might contain such an app; nobody can register it.
                RegisteredApp(platform: .apple, id: "example.shop.teamless", customScheme: "javascript"),
                try RegisteredApp(platform: .android, id: Self.packageName, sha256: [print]).validated(),
            ],
            authorizedDomains: [
                try AuthorizedDomain(parsing: "shop.example"), try AuthorizedDomain(parsing: "*.shop.example"),
                try AuthorizedDomain(parsing: "localhost"),
            ],
            linkDomains: [
                try LinkDomain(parsing: "links.shop.example"), try LinkDomain(parsing: "shop.example/go"),
            ],
            settings: settings, keys: ["key"])
        neighbour = Project(
            linksOf: "neighbour",
            apps: [
                try RegisteredApp(platform: .apple, id: "example.neighbour.ios", teamID: "TEAMTEAM02").validated(),
                try RegisteredApp(platform: .android, id: "example.neighbour.android", sha256: [print]).validated(),
            ],
            authorizedDomains: [try AuthorizedDomain(parsing: "neighbour.example")],
            linkDomains: [
                try LinkDomain(parsing: "links.neighbour.example"), try LinkDomain(parsing: "shop.example/go/next"),
                try LinkDomain(parsing: "www.shop.example/theirs"),
            ])
    }

    var rules: LinkRules {
        let domains = project.linkDomains + neighbour.linkDomains
        return LinkRules(project: project, publicURL: Self.publicURL) { host in
            domains.filter { $0.hostKey == host }
        }
    }

    func plan(
        _ parameters: DynamicLinkParameters, for visitor: Visitor, at url: String = linkBase + "/abc",
        hasPageHost: Bool = true, wasAsked: Bool = false
    ) -> LinkPlan {
        LinkResolution(parameters, at: url, rules: rules, hasPageHost: hasPageHost, wasAsked: wasAsked)
            .plan(for: visitor)
    }

    /// A link to the shop's cart, to be filled in.
    static func link(_ fill: (inout DynamicLinkParameters) -> Void = { _ in }) -> DynamicLinkParameters {
        var parameters = DynamicLinkParameters(link: "https://shop.example/cart?item=7")
        fill(&parameters)
        return parameters
    }

    /// The action link of a mail.
    static func actionLink(continueURL: String? = "https://shop.example/back") -> String {
        ActionLink(
            handler: handler, mode: .resetPassword, code: code, apiKey: "key", continueURL: continueURL, language: "en"
        ).url(order: .inApp)
    }

    static let phone = Visitor.iPhone(system: 18, isInApp: false)
    static let pad = Visitor.iPad(system: 12, isInApp: false)
    static let android = Visitor.android(isWebView: false)
    static let webView = Visitor.android(isWebView: true)
}

extension Project {
    /// A project with everything that links need, stored nowhere.
    convenience init(
        linksOf id: ProjectID, apps: [RegisteredApp], authorizedDomains: [AuthorizedDomain], linkDomains: [LinkDomain],
        settings: ProjectSettings = ProjectSettings(), keys: [String] = []
    ) {
        self.init(
            scope: id.scope, number: "", name: id.text, settings: settings,
            allKeys: keys.map { APIKey($0, createdAt: Moment(seconds: 0)) }, authorizedDomains: authorizedDomains,
            apps: apps, linkDomains: linkDomains)
    }
}

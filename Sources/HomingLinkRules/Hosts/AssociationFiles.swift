// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Crypto
import HomingWire

/// The files that tell Apple's and Google's systems which apps open the URLs of a host.
///
/// The files list the registered apps of the projects that own link domains on the host, each within its project's
/// prefixes, and nothing else. They are made once per change of a project and then served from memory.
package struct AssociationFiles: Sendable, Equatable {
    /// A file as it is served: 200, `application/json`, never after a redirect.
    package struct Document: Sendable, Equatable {
        package let bytes: [UInt8]
        /// The ETag header's value, with its quotes.
        package let entityTag: String

        init(_ json: JSON) {
            bytes = json.write(pretty: false)
            let digest = SHA256.hash(data: bytes).prefix(16)
            entityTag = "\"\(Hexadecimal.encode(digest))\""
        }
    }

    /// `/.well-known/apple-app-site-association` and `/apple-app-site-association`.
    package let apple: Document
    /// `/.well-known/assetlinks.json`.
    package let android: Document

    /// The files of one host; nil when no project owns a link domain there, which is a 404.
    ///
    /// - Parameters:
    ///   - hostKey: ``LinkDomain/hostKey`` of the host.
    ///   - projects: all projects, or at least all that own a link domain on the host, in the order of their ids.
    package init?(hostKey: String, projects: [any LinkOwner]) {
        let owners = projects.map { project in
            let domains = project.linkDomains.filter { ASCII.areEqual($0.hostKey, hostKey) }
            return (project: project, prefixes: domains.map(\.prefix))
        }.filter { !$0.prefixes.isEmpty }
        guard !owners.isEmpty else { return nil }
        let scoped = owners.map { owner in
            let others = owners.filter { $0.project !== owner.project }.flatMap(\.prefixes)
            return (apps: owner.project.apps, scope: LinkScope(prefixes: owner.prefixes, excluding: others))
        }
        // Saved passwords and App Clips belong to a whole host: of several projects, only the one with the whole host
        // gets them.
        let speaksForHost = { (index: Int) in owners.count == 1 || owners[index].prefixes.contains("") }
        apple = Document(Self.apple(scoped, speaksForHost: speaksForHost))
        android = Document(Self.android(scoped, speaksForHost: speaksForHost))
    }

    /// Both of Apple's forms at once: `components` for iOS 13 and later, `paths` and the empty `apps` for iOS 12.
    /// An app without a team id has no app id and is left out.
    private static func apple(
        _ owners: [(apps: [RegisteredApp], scope: LinkScope)], speaksForHost: (Int) -> Bool
    ) -> JSON {
        var details: [JSON] = []
        var appIDs: [JSON] = []
        var clipIDs: [JSON] = []
        for (index, owner) in owners.enumerated() {
            for app in owner.apps where app.platform == .apple {
                guard let team = app.teamID else { continue }
                let id = JSON.string("\(team).\(app.id)")
                details.append([
                    "appID": id, "appIDs": [id], "paths": owner.scope.paths, "components": owner.scope.components,
                ])
                guard speaksForHost(index) else { continue }
                if !appIDs.contains(id) { appIDs.append(id) }
                let clip = app.clipBundleID.map { JSON.string("\(team).\($0)") }
                if let clip, !clipIDs.contains(clip) { clipIDs.append(clip) }
            }
        }
        var file = JSON.Object([
            ("applinks", ["apps": [], "details": .array(details)]), ("webcredentials", ["apps": .array(appIDs)]),
        ])
        if !clipIDs.isEmpty { file["appclips"] = ["apps": .array(clipIDs)] }
        return .object(file)
    }

    /// One statement per app, with every certificate; Android 15 and later narrow its links by the components. The
    /// second relation lets the app fill in the passwords that are saved for the host.
    private static func android(
        _ owners: [(apps: [RegisteredApp], scope: LinkScope)], speaksForHost: (Int) -> Bool
    ) -> JSON {
        let relation = "delegate_permission/common.handle_all_urls"
        let statements = owners.enumerated().flatMap { index, owner in
            let relations: [JSON] =
                [.string(relation)] + (speaksForHost(index) ? ["delegate_permission/common.get_login_creds"] : [])
            return owner.apps.filter { $0.platform == .android && !$0.sha256.isEmpty }.map { app -> JSON in
                [
                    "relation": .array(relations),
                    "target": [
                        "namespace": "android_app",
                        "package_name": .string(app.id),
                        "sha256_cert_fingerprints": .array(app.sha256.map { .string($0) }),
                    ],
                    "relation_extensions": .object(
                        JSON.Object([(relation, ["dynamic_app_link_components": owner.scope.components])])),
                ]
            }
        }
        return .array(statements)
    }
}

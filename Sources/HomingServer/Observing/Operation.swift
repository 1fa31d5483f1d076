// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// What a request asks for, as metrics and traces name it: a closed list, whatever anybody sends. The name is that of
/// the route, without Firebase's hosts and versions.
package enum Operation: String, CaseIterable, Sendable {
    // Identity Toolkit, for apps and back ends.
    case sendOobCode, resetPassword, update, signUp, signInWithPassword, signInWithEmailLink, lookup, delete
    case createAuthUri, token, projectConfig, passwordPolicy, recaptchaConfig, create, notOffered
    case batchGet, batchCreate, batchDelete, query, createSessionCookie, signInWithCustomToken, tenants
    // Links.
    case link, linkPage, authLinks, shortLinks, reopenAttribution, installAttribution, managedShortLinks, linkStats
    case associationFile
    // Pages.
    case actionPage, resetPage, returnReport, root, favicon, logo, securityText, webModule, adminSignIn, mailbox,
        console
    // The operator's.
    case mailBounces, metrics, health, keys, openAPI
    // Authorities that hand out certificates, and browsers on port 80.
    case certificateChallenge, redirect
    /// A path that nothing answers, or a request that the gate refused.
    case nothing = "none"

    /// - Parameter route: a route's path as its list has it; nil where no route answered.
    package init(route: String?) {
        guard let route else {
            self = .nothing
            return
        }
        guard !route.hasPrefix("/console") else {
            self = .console
            return
        }
        let end = route.utf8.lastIndex(of: UInt8(ascii: "/")).map { route.utf8.index(after: $0) } ?? route.startIndex
        // The rare routes last: every request comes by here.
        self = Self.byEnd[route[end...]] ?? (Self.isNotOffered(route) ? .notOffered : .nothing)
    }

    private static func isNotOffered(_ route: String) -> Bool {
        guard let behind = route.range(of: "{project}/")?.upperBound else { return false }
        return IdentityToolkit.notOfferedOfProjects.contains { route[behind...].hasPrefix($0.path) }
    }

    /// The operations by the last part of a route's path, which is all that tells them apart.
    private static let byEnd: [Substring: Operation] = {
        var ends: [Substring: Operation] = [
            // Version 3 has names of its own.
            "getOobConfirmationCode": .sendOobCode, "setAccountInfo": .update, "signupNewUser": .signUp,
            "verifyCustomToken": .signInWithCustomToken, "verifyPassword": .signInWithPassword,
            "emailLinkSignin": .signInWithEmailLink,
            "uploadAccount": .batchCreate, "downloadAccount": .batchGet, "getAccountInfo": .lookup,
            "deleteAccount": .delete, "createAuthUri": .createAuthUri,
            "resetPassword": .resetPassword, "getProjectConfig": .projectConfig, "projects": .projectConfig,
            "passwordPolicy": .passwordPolicy, "recaptchaConfig": .recaptchaConfig, "accounts": .create,
            "token": .token, "config": .projectConfig, LinkResponder.route[...]: .link, "open": .linkPage,
            "links": .authLinks,
            "shortLinks": .shortLinks, "reopenAttribution": .reopenAttribution,
            "installAttribution": .installAttribution, "managedShortLinks:create": .managedShortLinks,
            "linkStats": .linkStats, "apple-app-site-association": .associationFile,
            "assetlinks.json": .associationFile, "action": .actionPage, "reset": .resetPage,
            "returned": .returnReport, "": .root, "favicon.ico": .favicon,
            "change-password": .resetPage, "security.txt": .securityText,
            "homing.js": .webModule, "homing.d.ts": .webModule, "integrity": .webModule, "{logo}": .logo,
            "enter": .adminSignIn, "tenants": .tenants, "{tenant}": .tenants,
            "{tenant}:createSessionCookie": .createSessionCookie,
            "setProjectConfig": .notOffered, "sign-out": .adminSignIn, "mailbox": .mailbox, "newest": .mailbox,
            "messages": .mailbox,
            "{name}": .mailbox, "bounces": .mailBounces, "metrics": .metrics, "openapi.json": .openAPI,
            "healthz": .health, "readyz": .health,
            "{token}": .certificateChallenge, "https": .redirect,
        ]
        for operation in [
            sendOobCode, resetPassword, update, signUp, signInWithPassword, signInWithEmailLink, lookup, delete,
            createAuthUri, batchGet, batchCreate, batchDelete, query, signInWithCustomToken,
        ] {
            ends["accounts:\(operation.rawValue)"] = operation
        }
        for operation in [query, createSessionCookie] {
            ends["{project}:\(operation == query ? "queryAccounts" : operation.rawValue)"] = operation
        }
        for name in TokenKeys.names { ends[name] = .keys }
        for left in IdentityToolkit.NotOffered.allCases {
            for path in left.operations + left.readings + left.relyingParty + left.relyingPartyReadings {
                ends[path.split(separator: "/").last ?? ""] = .notOffered
            }
        }
        return ends
    }()
}

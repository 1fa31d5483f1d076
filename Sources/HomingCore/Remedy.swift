// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What somebody who looks after the server can do about a refusal or a warning.
///
/// The shell says it as a command (`Remedy+command.swift`). On the wire it is left out: its callers have no shell.
package enum Remedy: Sendable, Hashable {
    case createProject(String)
    case showProject(String)
    case listProjects
    case showTenant(String)
    case listTenants(project: String)

    case addDomain
    case listDomains(project: String)
    case addLinkDomain
    case listLinkDomains(project: String)

    case addApp
    case addAndroidApp
    case addAppleApp
    case setTeamID
    case setCustomScheme
    case setAppStoreID
    case listApps(project: String)
    case listFingerprints(project: String)

    case showLink
    case listLinks(project: String)

    /// A new API key for the apps, before the only one is revoked.
    case replaceAPIKey(project: String)
    case listAPIKeys(project: String)
    case listAdminKeys
    case revokeServiceAccount
    case listServiceAccounts(project: String)
    case addKey
    case useAnotherKey

    case listMails
    case listSuppressed(project: String)
    case resetTemplate
    case listTemplateVersions(project: String, kind: String, language: String)

    case addOperator(String)
    /// A new one-time link for an operator.
    case linkOperator
    /// The same for one who has lost the second factor.
    case forgetSecondFactor
}

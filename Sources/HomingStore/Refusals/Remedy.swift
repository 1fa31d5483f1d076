// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What somebody who looks after the server can do about a refusal or a warning.
///
/// The shell says it as a command (`Remedy+command.swift`). On the wire it is left out: its callers have no shell.
package enum Remedy: Sendable, Hashable {
    /// The name that there is, and that was probably meant.
    case meant(String)

    case createProject(ProjectID)
    case showProject(ProjectID)
    case listProjects
    case showTenant(Scope)
    case listTenants(project: ProjectID)

    case addDomain
    case listDomains(project: ProjectID)
    case addLinkDomain
    case listLinkDomains(project: ProjectID)

    case addApp
    case addAndroidApp
    case addAppleApp
    case setTeamID
    case setCustomScheme
    case setAppStoreID
    case listApps(project: ProjectID)
    case listFingerprints(project: ProjectID)

    case showLink
    case listLinks(project: Scope)

    /// A new API key for the apps, before the only one is revoked.
    case replaceAPIKey(project: ProjectID)
    case listAPIKeys(project: ProjectID)
    case listAdminKeys
    case revokeServiceAccount
    case listServiceAccounts(project: ProjectID)
    case addKey
    case useAnotherKey

    case addSenderDomain(project: ProjectID)
    case showSenderDomain(project: ProjectID)
    case checkSenderDomain(project: ProjectID)
    case setMailTransport(Scope)
    case listMails
    case listSuppressed(project: Scope)
    case resetTemplate
    case listTemplateVersions(project: ProjectID, kind: String, language: String)
    case listTexts(project: ProjectID, language: String)
    case listLanguages

    case addOperator(String)
    /// A new one-time link for an operator.
    case linkOperator
    /// The same for one who has lost the second factor.
    case forgetSecondFactor
}

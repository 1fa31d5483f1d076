// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
package import HomingStore
internal import HomingWire

extension Remedy {
    /// The end of a line: the name that was meant, or the command behind a colon.
    fileprivate var ending: String {
        if case .meant(let name) = self { return "; did you mean \(Printable.shellWord(name))?" }
        return ": \(command)"
    }

    private var command: String {
        switch self {
        case .meant(let name): name
        case .createProject(let id): "homing project create \(id)"
        case .showProject(let id): "homing project show \(id)"
        case .listProjects: "homing project list"
        case .showTenant(let name): "homing tenant show \(name)"
        case .listTenants(let project): "homing tenant list \(project)"
        case .addDomain: "homing domain add"
        case .listDomains(let project): "homing domain list \(project)"
        case .addLinkDomain: "homing link-domain add"
        case .listLinkDomains(let project): "homing link-domain list \(project)"
        case .addApp: "homing app add"
        case .addAndroidApp: "homing app add android"
        case .addAppleApp: "homing app add apple"
        case .setTeamID: "homing app add apple --team-id"
        case .setCustomScheme: "homing app add apple --custom-scheme"
        case .setAppStoreID: "homing app add apple --app-store-id"
        case .listApps(let project): "homing app list \(project)"
        case .listFingerprints(let project): "homing app list \(project) --json"
        case .showLink: "homing link show"
        case .listLinks(let project): "homing link list \(project)"
        case .replaceAPIKey(let project):
            "homing api-key create \(project), ship the new one, then revoke this one"
        case .listAPIKeys(let project): "homing api-key list \(project)"
        case .listAdminKeys: "homing admin-key list"
        case .revokeServiceAccount: "revoke one with homing service-account revoke"
        case .listServiceAccounts(let project): "homing service-account list \(project)"
        case .addKey: "homing key add"
        case .useAnotherKey: "homing key use another one first"
        case .listMails: "homing mail list"
        case .addSenderDomain(let project): "homing mail domain add \(project) DOMAIN"
        case .showSenderDomain(let project): "homing mail domain show \(project)"
        case .checkSenderDomain(let project): "homing mail domain check \(project)"
        case .setMailTransport(let owner): "homing mail transport set \(owner) --url URL"
        case .listSuppressed(let project): "homing mail suppressed list \(project)"
        case .resetTemplate: "homing template reset"
        case .listTemplateVersions(let project, let kind, let language):
            "homing template versions \(project) \(kind) \(language)"
        case .listTexts(let project, let language): "homing text list \(project) \(language) --all"
        case .listLanguages: "homing language list"
        case .addOperator(let address): "homing operator add \(address) --role editor"
        case .linkOperator: "homing operator link"
        case .forgetSecondFactor: "homing operator link --forget"
        }
    }
}

extension String {
    /// The line with what mends it.
    package func with(_ remedy: Remedy?) -> String { remedy.map { self + $0.ending } ?? self }
}

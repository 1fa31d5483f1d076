// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCertificates
import HomingCore
import HomingOperations
package import HomingStore
import HomingWire

/// One thing that `homing setup` has to know, in the order in which it asks.
package enum SetupStep: CaseIterable, Sendable {
    case data, address, encryption, relay, sender, project, person

    var title: String {
        switch self {
        case .data: "The data"
        case .address: "The public URL, with which every link in an email begins"
        case .encryption: "TLS"
        case .relay: "Where emails leave: a relay, or a provider over HTTPS"
        case .sender: "The sender of the emails"
        case .project: "The first project: one app, or a family of apps"
        case .person: "The first person who may use the console"
        }
    }

    /// The flag that answers the step, for whoever is not asked.
    var flag: String {
        switch self {
        case .data: "--database-url"
        case .address: "--public-url https://auth.example.com"
        case .encryption: "--tls-acme-agree"
        case .relay: "--mail-url smtp://HOST:PORT"
        case .sender: "--mail-from ADDRESS"
        case .project: "--project ID"
        case .person: "--operator ADDRESS"
        }
    }

    /// The settings that are shown where nobody is asked.
    var keys: [String] {
        switch self {
        case .data: ["database.url", "keyFile"]
        case .address: ["publicURL"]
        case .encryption:
            [
                "tls.acme.agree", "tls.acme.email", "tls.certificate", "trustedProxies", "listen", "admin.listen",
                "redirect.listen",
            ]
        case .relay: ["mail.url", "smtp.url"]
        case .sender: ["mail.from"]
        case .project, .person: []
        }
    }

    /// Whether an answer is looked at.
    var isLookedAt: Bool { self != .project && self != .person }

    /// Whether nothing is set up without it.
    var isRequired: Bool { self == .address || self == .relay }
}

/// What is known when a step is looked at.
package struct SetupState: Sendable {
    /// The settings that somebody has given, by key.
    package var values: [String: String]
    /// What the database has.
    package var hasProject: Bool
    package var hasOperator: Bool
    /// What is to be made in it.
    package var project: ProjectID?
    package var person: String?

    package init(
        values: [String: String] = [:], hasProject: Bool = false, hasOperator: Bool = false, project: ProjectID? = nil,
        person: String? = nil
    ) {
        self.values = values
        self.hasProject = hasProject
        self.hasOperator = hasOperator
        self.project = project
        self.person = person
    }

    /// Whether there is anything to ask.
    package func isAnswered(_ step: SetupStep) -> Bool {
        switch step {
        case .data: true
        case .address: values["publicURL"] != nil
        case .encryption:
            !canHaveCertificate
                || ["tls.acme.agree", "tls.certificate", "trustedProxies"].contains { values[$0] != nil }
        case .relay: relay != nil
        // Nothing leaves a mailbox, and an address of this machine has no domain for mails.
        case .sender: values["mail.from"] != nil || relay == "mailbox:" || relay == "none"
        case .project: hasProject || project != nil
        case .person: hasOperator || person != nil
        }
    }

    /// Where mails leave, under either name.
    private var relay: String? { values["mail.url"] ?? values["smtp.url"] }

    /// Whether the public URL is one for which an authority makes certificates.
    private var canHaveCertificate: Bool {
        guard let url = values["publicURL"].flatMap(PublicURL.init(parsing:)), url.scheme == "https" else {
            return false
        }
        return WebHost(parsing: url.host).map(CertificatePlan.isPublic) ?? false
    }

    /// The settings that follow from others and are not given: listeners that the internet reaches, where this server
    /// gets certificates by itself.
    package var implied: [String: String] {
        guard values["tls.acme.agree"] == "yes",
            let url = values["publicURL"].flatMap(PublicURL.init(parsing:))
        else { return [:] }
        return ["listen": "0.0.0.0:\(url.port ?? 443)", "redirect.listen": "0.0.0.0:80"].filter {
            values[$0.key] == nil
        }
    }
}

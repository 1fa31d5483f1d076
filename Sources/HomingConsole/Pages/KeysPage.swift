// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingServer
import HomingStore
import HomingTexts
import Hummingbird

/// `…/keys`: the API keys of a project, the admin keys that are for it, and its service accounts.
enum KeysPage {
    static func show(_ context: ConsoleContext) async throws -> Response { try await page(context) }

    enum Action: String, ConsoleAction {
        case create, use, revoke
        case createAdmin = "create-admin"
        case revokeAdmin = "revoke-admin"
        case createAccount = "create-account"
        case revokeAccount = "revoke-account"

        var needs: Operator.Role {
            switch self {
            case .create, .use, .revoke: .editor
            case .createAdmin, .revokeAdmin, .createAccount, .revokeAccount: .owner
            }
        }
    }

    /// What a form of the page has done or was refused.
    struct Outcome {
        var apiKey: ConsoleForm<NewAPIKey>?
        var adminKey: ConsoleForm<NewAdminKey>?
        var account: ConsoleForm<NewAccount>?
        /// A secret, shown once.
        var secret: HTML = ""

        var sent: (any ConsoleFormOutcome)? { apiKey as (any ConsoleFormOutcome)? ?? adminKey ?? account }
    }

    static func page(_ context: ConsoleContext, _ outcome: Outcome = Outcome()) async throws -> Response {
        ConsolePage(
            .keys, lead: "What apps and back ends send to say who they are.",
            """
            \(outcome.secret)
            \(try apiKeys(context, outcome.apiKey))
            \(try await adminKeys(context, outcome.adminKey))
            \(try await serviceAccounts(context, outcome.account))
            """, of: outcome.sent
        ).answer(in: context)
    }

    static func change(_ action: Action, _ sent: SentForm) async throws -> Response {
        guard sent.context.person.role >= action.needs else { throw ConsoleRefusal.needs(action.needs) }
        let (projects, project) = (sent.homing.projects, try sent.context.project.projectID)
        switch action {
        case .create: return try await createAPIKey(sent)
        case .use:
            try await projects.useAPIKey(sent.text("key"), in: project, by: sent.author)
            return sent.saved()
        case .revoke:
            try await projects.revokeAPIKey(sent.text("key"), in: project, by: sent.author)
            return sent.saved(nil, .revoked)
        case .createAdmin: return try await createAdminKey(sent)
        case .revokeAdmin: return try await revokeAdminKey(sent)
        case .createAccount: return try await createAccount(sent)
        case .revokeAccount:
            try await sent.homing.accounts.serviceAccounts.revoke(
                sent.text("id"), in: try sent.context.project, by: sent.author)
            return sent.saved(nil, .revoked)
        }
    }

    /// A card with the keys of one kind.
    static func section(_ title: String, _ sentence: HTML, _ list: HTML) -> HTML {
        "<section><h2>\(title)</h2><p class=\"soft\">\(sentence)</p>\(list)</section>"
    }

    static func tag(_ words: String, isInForce: Bool) -> HTML {
        "<span class=\"tag \(isInForce ? "good" : "bad")\">\(words)</span>"
    }
}

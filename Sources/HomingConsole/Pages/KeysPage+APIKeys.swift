// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import Hummingbird

/// The API keys of a project.
extension KeysPage {
    struct NewAPIKey {
        var name: String?
        var text: String?
    }

    static func apiKeys(_ context: ConsoleContext, _ sent: ConsoleForm<NewAPIKey>?) throws -> HTML {
        let rows = try context.project.allKeys.map { try row(of: $0, context) }
        let table = ConsoleTable("API keys", ["Key", "Name", "Created", "Status", "Actions"], rows)
        let list = section(
            "API keys", "Apps send one to say which project they are about. It is no secret, and stands in every link.",
            table.html)
        guard context.mayEdit else { return list }
        let form = sent ?? newAPIKey(context)
        let creation = FoldedForm(
            "New API key", context.form(hidden: [Action.create.hidden], form.html, button: "Create the API key"),
            isOpen: sent != nil)
        return "\(list)\(creation.html)"
    }

    private static func row(of key: APIKey, _ context: ConsoleContext) throws -> [HTML] {
        let isInLinks = try key.text == context.project.linkKey
        let state: HTML =
            key.revokedAt.map { "\(tag("revoked", isInForce: false)) \(ConsoleTime($0).html)" }
            ?? tag(isInLinks ? "in force, in links" : "in force", isInForce: true)
        let actions = try actions(on: key, isInLinks: isInLinks, context)
        return [
            "<code>\(key.text)</code> \(CopyButton(key.text, "the API key").html)",
            key.name.map { "<bdi>\($0)</bdi>" } ?? "",
            ConsoleTime(key.createdAt).html, state, actions,
        ]
    }

    private static func actions(on key: APIKey, isInLinks: Bool, _ context: ConsoleContext) throws -> HTML {
        guard context.mayEdit, key.revokedAt == nil else { return "" }
        var actions: HTML = ""
        if !isInLinks {
            actions.append(
                context.form(hidden: [Action.use.hidden, ("key", key.text)], button: "Use in links", .quiet))
        }
        if try context.project.apiKeys.count > 1 {
            actions.append(
                context.confirmation(
                    "Revoke",
                    """
                    Every app and page that still sends this key is locked out at once. Links that were mailed with it \
                    still open Homing's page.
                    """,
                    hidden: [Action.revoke.hidden, ("key", key.text)], button: "Revoke this key"))
        }
        return actions.isEmpty ? "" : "<div class=\"actions\">\(actions)</div>"
    }

    private static func newAPIKey(_ context: ConsoleContext) -> ConsoleForm<NewAPIKey> {
        let name = ConsoleField(
            "Name", "name", \NewAPIKey.name, hint: "What you call it, such as Autumn apps. Optional.",
            check: { _ = try Projects.checkedName($0, of: "an API key") })
        let key = ConsoleField(
            "Key", "key", \NewAPIKey.text, hint: "One of your own, such as Firebase's; empty for a new one.",
            check: { try APIKey.check($0) })
        return ConsoleForm(NewAPIKey(), scope: "api-", mayBringKey(context) ? [name, key] : [name])
    }

    /// Whether a key is taken tells of other projects: a key of one's own is for who sees them all.
    private static func mayBringKey(_ context: ConsoleContext) -> Bool { context.person.projects == nil }

    static func createAPIKey(_ sent: SentForm) async throws -> Response {
        guard sent.text("key").isEmpty || mayBringKey(sent.context) else {
            throw ConsoleRefusal.needsAllProjects("Whether a key of your own is free tells of other projects")
        }
        var form = newAPIKey(sent.context)
        guard try form.take(sent) else { return try await page(sent.context, Outcome(apiKey: form)) }
        do {
            _ = try await sent.homing.projects.createAPIKey(
                named: form.value.name, text: form.value.text, in: try sent.context.project.projectID, by: sent.author)
            return sent.saved()
        } catch Refusal.Code.alreadyExists {
            form.faults["key"] =
                "A project has this key already, perhaps as a revoked one. Leave it empty for a new one."
            return try await page(sent.context, Outcome(apiKey: form))
        }
    }
}

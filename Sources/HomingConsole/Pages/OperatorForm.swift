// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// What the forms of an operator hold.
struct OperatorDraft {
    var address = ""
    /// Nil for a role that there is not.
    var role: Operator.Role? = .editor
    /// Nil for all, empty for none.
    var projects: [ProjectID]?

    init() {}

    init(_ person: Operator) {
        (address, role, projects) = (person.address, person.role, person.projects)
    }

    var rights: Operator.Rights? { role.map { Operator.Rights(role: $0, projects: projects) } }
}

/// The fields of an operator, for one who is invited and for one whose rights are changed.
enum OperatorForm {
    static func inviting(_ homing: Homing) -> ConsoleForm<OperatorDraft> {
        ConsoleForm(
            OperatorDraft(), scope: "new-",
            [
                ConsoleField(
                    "Address", "address", \.address, .line("email"), isRequired: true,
                    check: { _ = try EmailAddress(parsing: $0) })
            ] + rights(homing, isExplained: true))
    }

    /// Without hints, since the list has a form for everybody.
    ///
    /// - Parameter scope: tells the form from those of other operators.
    static func editing(_ person: Operator, scope: String, _ homing: Homing) -> ConsoleForm<OperatorDraft> {
        ConsoleForm(OperatorDraft(person), scope: scope, remembersSeen: true, rights(homing, isExplained: false))
    }

    /// What the author of a form saw; nil where the form does not say.
    static func seen(_ sent: SentForm) -> Operator.Rights? {
        guard let role = sent.fields["was:role"].flatMap(Operator.Role.init), let text = sent.fields["was:projects"]
        else { return nil }
        return Operator.Rights(role: role, projects: projects(in: text))
    }

    /// The mark for no project at all, which no id of a project is.
    private static let none = "-"

    private static func projects(in text: String) -> [ProjectID]? {
        guard !text.utf8.elementsEqual(none.utf8) else { return [] }
        let ids = text.split(separator: " ").map { ProjectID(String($0)) }
        return ids.isEmpty ? nil : ids
    }

    private static func text(of projects: [ProjectID]?) -> String {
        guard let projects else { return "" }
        return projects.isEmpty ? none : projects.map(\.text).joined(separator: " ")
    }

    private static let roles: HTML = """
        A viewer looks, and sees addresses masked. An editor changes projects. An owner also makes projects and says who \
        the operators are.
        """

    private static func rights(_ homing: Homing, isExplained: Bool) -> [ConsoleField<OperatorDraft>] {
        [
            ConsoleField(
                label: "Role", name: "role", hint: isExplained ? roles : nil,
                input: .choice(Operator.Role.allCases.map { ($0.rawValue, $0.rawValue) }),
                text: { $0.role?.rawValue ?? "" },
                set: { draft, text in
                    draft.role = Operator.Role(rawValue: text)
                    if draft.role == nil { throw ConsoleFault("Choose owner, editor or viewer.") }
                }),
            ConsoleField(
                label: "Projects", name: "projects", hint: isExplained ? hint(homing) : "Ids; empty for all.",
                text: { text(of: $0.projects) },
                set: { draft, text in
                    draft.projects = projects(in: text)
                    try check(draft, homing)
                }),
        ]
    }

    private static func hint(_ homing: Homing) -> HTML {
        let ids = homing.projects.all().map(\.projectID.text)
        let some = ids.prefix(8).joined(separator: " ") + (ids.count > 8 ? " …" : "")
        let examples: HTML = ids.isEmpty ? "" : " There are: <code>\(some)</code>"
        return "The ids of the only projects for this person, with spaces between them; empty for all.\(examples)"
    }

    private static func check(_ draft: OperatorDraft, _ homing: Homing) throws(ConsoleFault) {
        let unknown = (draft.projects ?? []).filter { homing.projects.project($0) == nil }.map(\.text)
        guard unknown.isEmpty else {
            throw ConsoleFault(
                "There is no project \(unknown.joined(separator: ", ")). The ids stand under Projects.")
        }
        guard draft.role != .owner || draft.projects == nil else {
            throw ConsoleFault("An owner is one of all projects: leave this empty, or choose another role.")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingTexts
import HomingWire

/// What a page says of a form that was sent.
protocol ConsoleFormOutcome {
    /// What stands against it, for the top of the page.
    var summary: HTML? { get }
    var isRefused: Bool { get }
    var status: HTTPResponse.Status { get }
}

/// The fields of a form and the value that they are bound to; once it was sent, what was typed, and what is wrong with
/// it. A page makes the form to show it, and makes it again to take what was sent.
struct ConsoleForm<Value>: ConsoleFormOutcome {
    /// As it is kept, and once the form was sent, as it was typed.
    private(set) var value: Value
    private var kept: Value
    let fields: [ConsoleField<Value>]
    /// Tells fields of one name on one page apart.
    let scope: String
    /// Whether the form remembers what its author saw: then only what they have changed is taken, and nobody's change
    /// is written over unseen.
    let remembersSeen: Bool
    private var typed: [String: String] = [:]
    /// What the author saw of what they have changed, by the names of the fields.
    var seen: [String: String] = [:]
    /// What is wrong with what was typed, by the names of the fields.
    var faults: [String: String] = [:]
    /// What stands against the form, and is about no single field.
    var problem: HTML?
    /// Somebody else has changed meanwhile what the form is about.
    private(set) var isOvertaken = false
    /// Whether it was read from the address of its page: then nothing was to change.
    private var isQuery = false

    init(_ value: Value, scope: String = "", remembersSeen: Bool = false, _ fields: ConsoleField<Value>...) {
        self.init(value, scope: scope, remembersSeen: remembersSeen, fields)
    }

    init(_ value: Value, scope: String = "", remembersSeen: Bool = false, _ fields: [ConsoleField<Value>]) {
        self.value = value
        kept = value
        self.fields = fields
        self.scope = scope
        self.remembersSeen = remembersSeen
    }

    var isRefused: Bool { !faults.isEmpty || problem != nil }

    /// The status of a page that shows the form.
    var status: HTTPResponse.Status { isOvertaken ? .conflict : isRefused ? .badRequest : .ok }

    // MARK: What was sent

    /// Takes what was typed, and notes what is wrong with it.
    ///
    /// - Returns: whether all of it can be taken.
    mutating func take(_ sent: SentForm) throws -> Bool {
        for field in fields {
            let before = field.seen(in: sent.fields)
            if let setFile = field.setFile {
                // A form without a chosen file sends an empty one.
                guard let bytes = sent.files[field.name], !bytes.isEmpty else { continue }
                try note(field.name) { value in try setFile(&value, bytes) }
            } else {
                let text = field.sent(in: sent.fields)
                let isSent = before != nil || sent.fields[field.name] != nil
                guard !remembersSeen || isSent && before?.utf8.elementsEqual(text.utf8) != true else { continue }
                try take(text, into: field)
            }
            seen[field.name] = before
        }
        return !isRefused
    }

    /// Takes what a query says; of what it leaves out the value stays.
    mutating func take(query: QueryString?) throws {
        isQuery = true
        for field in fields where query?[field.name]?.isEmpty == false {
            try take(query.map(field.sent) ?? "", into: field)
        }
    }

    private mutating func take(_ text: String, into field: ConsoleField<Value>) throws {
        typed[field.name] = text
        try note(field.name) { value in try field.set(&value, text) }
    }

    private mutating func note(_ name: String, _ set: (inout Value) throws -> Void) throws {
        do {
            try set(&value)
        } catch let fault as ConsoleFault {
            faults[name] = fault.sentence
        } catch let refusal as Refusal {
            faults[name] = refusal.consoleSentence
        }
    }

    /// Shows another text in a field than what was typed, which held a secret.
    mutating func shows(_ text: String, in name: String) { typed[name] = text }

    // MARK: What its author saw

    /// What was typed, with what its author saw before; nil where the form did not say.
    var changes: [(name: String, text: String, seen: String?)] {
        fields.compactMap { field in typed[field.name].map { (field.name, $0, seen[field.name]) } }
    }

    /// Whether somebody else has changed by now what the author has changed, too.
    var meetsOthers: Bool {
        fields.contains { field in
            seen[field.name].map { !$0.utf8.elementsEqual(field.text(kept).utf8) } ?? false
        }
    }

    /// The hidden field that says what the author of the form sees in a field.
    func sight(of name: String) -> (String, String) {
        ("was:\(name)", seen[name] ?? fields.first { $0.name == name }?.text(kept) ?? "")
    }

    /// Says of what was typed what is in force by now, where it is not what its author saw. What they typed stays, and
    /// saving it again is their choice.
    ///
    /// - Parameter current: the value as somebody else has left it.
    mutating func isOvertaken(by current: Value, _ problem: HTML) {
        for field in fields {
            let now = field.text(current)
            guard let before = seen[field.name], !before.utf8.elementsEqual(now.utf8) else { continue }
            faults[field.name] =
                field.setFile == nil
                ? "This is \(field.input.words(now)) by now, it was \(field.input.words(before)) when you began."
                : "The \(field.label.lowercased()) is another one by now: it stands above. Choose your file again to "
                    + "replace it."
        }
        kept = current
        seen = [:]
        self.problem = problem
        isOvertaken = true
    }

    // MARK: The page

    /// What stands against the form, with a link to each field that is wrong, for the top of its page: whoever does not
    /// see the page reads all of it there, and the focus stands on it
    /// (https://design-system.service.gov.uk/components/error-summary/). A form of one field says it beside the field.
    var summary: HTML? {
        guard hasSummary else { return nil }
        let links = fields.compactMap { field -> HTML? in
            faults[field.name].map { "<li><a href=\"#\(field.id(scope: scope))\">\(field.label): \($0)</a></li>" }
        }
        let sentence = problem ?? "Nothing has been changed. Correct what is named here:"
        return """
            <div class="problem" role="alert" tabindex="-1" autofocus><p>\(sentence)</p>\
            \(links.isEmpty ? "" : "<ul>\(links)</ul>" as HTML)</div>
            """
    }

    private var hasSummary: Bool { !isQuery && (problem != nil || !faults.isEmpty && fields.count > 1) }

    /// All fields.
    var html: HTML { HTML(joining: fields.map { html(of: $0) }) }

    /// The fields of these names, in this order.
    func html(of names: [String]) -> HTML {
        HTML(joining: names.compactMap { name in fields.first { $0.name == name }.map { html(of: $0) } })
    }

    private func html(of field: ConsoleField<Value>) -> HTML {
        let control = field.html(
            typed[field.name] ?? field.text(kept), fault: faults[field.name], takesFocus: !hasSummary, scope: scope)
        guard remembersSeen else { return control }
        let (name, text) = sight(of: field.name)
        return "\(control)<input type=\"hidden\" name=\"\(name)\" value=\"\(text)\">"
    }

    /// A form in one row that changes nothing: it goes to a path with what was typed behind a `?`.
    func search(at path: String, button: String = "Search") -> HTML {
        """
        <form method="get" action="\(path)" class="row">\(html)<button type="submit" class="quiet">\(button)</button></form>
        """
    }
}

extension ConsoleForm<String> {
    /// A form of one text.
    init(
        _ label: String, _ name: String, holding text: String = "", hint: HTML? = nil,
        _ input: ConsoleInput = .line("text"), isRequired: Bool = true, autocomplete: String = "off",
        scope: String = "", check: @escaping (String) throws -> Void = { _ in }
    ) {
        let field = ConsoleField<String>(
            label, name, \.self, hint: hint, input, isRequired: isRequired, autocomplete: autocomplete, check: check)
        self.init(text, scope: scope, [field])
    }
}

/// What is wrong with what was typed into a field, as a sentence that says what to do.
struct ConsoleFault: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

/// What the forms of a page do: an enum with a case for each of them. Its raw value travels in the field ``field``, or
/// is itself the name of a field that says what it is done to.
protocol ConsoleAction: RawRepresentable<String>, CaseIterable, Sendable {
    /// The field that names the action.
    static var field: String { get }
    /// What a form does that names none; nil on a page where each form names one.
    static var unnamed: Self? { get }
}

extension ConsoleAction {
    static var field: String { "do" }
    static var unnamed: Self? { nil }

    /// Nil for what no form of the page does.
    init?(in fields: QueryString) {
        if let name = fields[Self.field] {
            self.init(rawValue: name)
        } else if let found = Self.allCases.first(where: { fields[$0.rawValue] != nil }) ?? Self.unnamed {
            self = found
        } else {
            return nil
        }
    }

    /// The hidden field of a form that does this.
    var hidden: (String, String) { (Self.field, rawValue) }

    /// The hidden field of a form that does this to something.
    func hidden(to thing: String) -> (String, String) { (rawValue, thing) }
}

extension ConsoleContext {
    enum Emphasis: String {
        case primary = ""
        case quiet
        case danger
        /// What is not undone, where it has been asked about.
        case solid
    }

    /// A form to a path of the console, with this session's token.
    ///
    /// - Parameters:
    ///   - hidden: fields that the person does not see, such as the action and the thing that it is about.
    func form(
        to target: String? = nil, hidden: [(String, String)] = [], _ content: HTML = "", button: String,
        _ emphasis: Emphasis = .primary, hasFile: Bool = false
    ) -> HTML {
        form(
            to: target, hidden: hidden, content,
            buttons: "<button type=\"submit\" class=\"\(emphasis.rawValue)\">\(button)</button>",
            attributes: hasFile ? " enctype=\"multipart/form-data\"" : "")
    }

    /// A form with buttons of its own; pressing Enter in a line presses the first of them.
    func form(
        to target: String? = nil, hidden: [(String, String)] = [], _ content: HTML, buttons: HTML,
        attributes: HTML = ""
    ) -> HTML {
        let path = target ?? path
        return Self.form(
            to: path, hidden: [("token", token(for: path))] + hidden, content, buttons: buttons, attributes: attributes)
    }

    /// A form for somebody without a session, where they sign in.
    static func form(
        to path: String, hidden: [(String, String)] = [], _ content: HTML, buttons: HTML, attributes: HTML = ""
    ) -> HTML {
        """
        <form method="post" action="\(path)"\(attributes)>\
        \(hidden.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as HTML })\
        \(content)\(buttons)</form>
        """
    }

    /// Something that is not undone easily: a click opens what happens, a second one does it.
    func confirmation(
        _ summary: String, _ sentence: HTML, to target: String? = nil, hidden: [(String, String)],
        _ content: HTML = "", button: String, _ emphasis: Emphasis = .danger, isOpen: Bool = false
    ) -> HTML {
        """
        <details class="act"\(isOpen ? " open" as HTML : "")><summary>\(summary)</summary><p>\(sentence)</p>\
        \(form(to: target, hidden: hidden, content, button: button, emphasis))</details>
        """
    }
}

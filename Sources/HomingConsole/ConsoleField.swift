// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// What a person types into a field, or chooses in it.
enum ConsoleInput {
    /// A line of text; the word is the input's type, such as `text`, `email`, `number`, `password`, `url`.
    case line(String)
    case area(rows: Int)
    /// Values with their labels.
    case choice([(value: String, label: String)])
    /// A box that sends `true`, and nothing when it is off.
    case check
    /// A box for a switch that forbids, under words that say what it allows: it sends `false`, and off it means `true`.
    case negatedCheck
    /// A number and a unit, kept as seconds with something behind them: `259200s`.
    case duration(suffix: String)
    /// A day and a time, kept as `Moment.timestamp`. It is typed in UTC; with scripts in the reader's zone.
    case time
    /// A colour as `#RRGGBB`, or nothing; a script has the browser's own picker beside the text.
    ///
    /// - Parameter standard: what the picker shows while nothing is chosen.
    case color(standard: String)
    /// A file of one of these types, such as `image/png`.
    case file([String])

    /// A text of a field as a sentence names it.
    func words(_ text: String) -> String {
        switch self {
        case _ where text.isEmpty: "nothing"
        case .check: text == "true" ? "on" : "off"
        case .negatedCheck: text == "false" ? "on" : "off"
        case .duration: SpokenDuration(parsing: text)?.text ?? text
        case .time: Moment(timestamp: text)?.inWords ?? text
        case .choice(let options): options.first { $0.value.utf8.elementsEqual(text.utf8) }?.label ?? text
        default: text
        }
    }
}

/// One field of a form, with its label and a hint, bound to a part of the value that the form is about.
struct ConsoleField<Value> {
    let label: String
    let name: String
    var hint: HTML?
    var input = ConsoleInput.line("text")
    var isRequired = false
    /// What a browser may fill in (HTML, section 4.10.18.7).
    var autocomplete = "off"
    /// The values of a choice in the same form with which the field is shown; empty for a field that always is. It must
    /// not be required: a browser does not send a form with a hidden field that lacks its text. The style sheet has a
    /// rule for each value, `ConsoleLayout.choices`.
    var shownFor: [String] = []
    /// The part of a value as the field shows it; a file by a digest.
    let text: (Value) -> String
    /// Takes what was typed. Throws ``Refusal`` or ``ConsoleFault`` where it cannot be.
    var set: (inout Value, String) throws -> Void = { _, _ in }
    /// Takes a file.
    var setFile: ((inout Value, [UInt8]) throws -> Void)?

    /// What a form says of the field; what the form lacks is empty.
    func sent(in fields: QueryString) -> String {
        let text = fields[name] ?? ""
        switch input {
        case .check: return text == "true" ? "true" : "false"
        case .negatedCheck: return text == "false" ? "false" : "true"
        case .duration(let suffix): return ConsoleInput.sentDuration(text, fields["unit:\(name)"], suffix: suffix)
        case .time: return ConsoleInput.sentTime(text)
        // A browser sends CR LF for each line of an area.
        case .area, .line("password"): return text.replacing("\r\n", with: "\n")
        default: return String(ASCII.trimmed(text))
        }
    }

    /// Where the field stands on its page.
    func id(scope: String) -> String {
        "f-\(scope)\(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }.map(String.init).joined())"
    }

    /// What the author of a form saw in the field, by the hidden field beside it; nil where the form does not say.
    func seen(in fields: QueryString) -> String? {
        let text = fields["was:\(name)"]
        // A browser sends CR LF for each line of a hidden field, too.
        if case .area = input { return text?.replacing("\r\n", with: "\n") }
        return text
    }

    /// - Parameters:
    ///   - fault: what is wrong with what was typed.
    ///   - takesFocus: whether the page opens with the focus on a field that is wrong.
    ///   - scope: tells fields of one name on one page apart.
    func html(_ text: String, fault: String?, takesFocus: Bool = true, scope: String) -> HTML {
        let id = self.id(scope: scope)
        let zone: String? = if case .time = input { "\(id)-zone" } else { nil }
        let described = [zone, hint.map { _ in "\(id)-hint" }, fault.map { _ in "\(id)-fault" }].compactMap(\.self)
        let description: HTML =
            described.isEmpty ? "" : " aria-describedby=\"\(described.joined(separator: " "))\""
        let state: HTML = """
            \(description)\(fault == nil ? "" : " aria-invalid=\"true\"" as HTML)\
            \(fault == nil || !takesFocus ? "" : " autofocus" as HTML)\
            \(isRequired ? " required" as HTML : "")
            """
        let notes: HTML = """
            \(hint.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" as HTML } ?? "")\
            \(fault.map { "<p class=\"fault\" id=\"\(id)-fault\">\($0)</p>" as HTML } ?? "")
            """
        let name: HTML = "id=\"\(id)\" name=\"\(name)\""
        let choices: HTML = shownFor.isEmpty ? "" : " data-for=\"\(shownFor.joined(separator: " "))\""
        let control: HTML
        switch input {
        case .check, .negatedCheck:
            let on = if case .check = input { "true" } else { "false" }
            return """
                <div class="check"\(choices)><input type="checkbox" \(name) value="\(on)"\
                \(text == on ? " checked" as HTML : "")\(state)><div><label for="\(id)">\(label)</label>\(notes)\
                </div></div>
                """
        case .line(let type):
            // Nobody reads a password again.
            control = """
                <input type="\(type)" \(name) value="\(type == "password" ? "" : text)" autocomplete="\(autocomplete)" \
                spellcheck="false"\(state)>
                """
        case .area(let rows):
            // A line break right behind the tag would be dropped.
            control = """
                <textarea \(name) rows="\(rows)" spellcheck="false"\(state)>
                \(text)</textarea>
                """
        case .duration:
            control = ConsoleInput.durationControl(text, name: self.name, label: label, names: name, state: state)
        case .time: control = ConsoleInput.timeControl(text, id: id, names: name, state: state)
        case .color(let standard):
            control = """
                <div class="color"><input type="color" value="\(text.isEmpty ? standard : text)" data-picks="\(id)" \
                aria-label="\(label), picked" hidden><input type="text" \(name) value="\(text)" placeholder="\(standard)" \
                autocomplete="off" spellcheck="false"\(state)></div>
                """
        case .file(let types):
            control = "<input type=\"file\" \(name) accept=\"\(types.joined(separator: ","))\"\(state)>"
        case .choice(let options):
            let choices = options.map { option -> HTML in
                let isChosen = option.value.utf8.elementsEqual(text.utf8)
                return
                    "<option value=\"\(option.value)\"\(isChosen ? " selected" as HTML : "")>\(option.label)</option>"
            }
            control = "<select \(name)\(state)>\(choices)</select>"
        }
        return "<div class=\"field\"\(choices)><label for=\"\(id)\">\(label)</label>\(control)\(notes)</div>"
    }
}

extension ConsoleField {
    /// A field of a text.
    init(
        _ label: String, _ name: String, _ part: WritableKeyPath<Value, String>, hint: HTML? = nil,
        _ input: ConsoleInput = .line("text"), isRequired: Bool = false, autocomplete: String = "off",
        check: @escaping (String) throws -> Void = { _ in }
    ) {
        self.init(
            label: label, name: name, hint: hint, input: input, isRequired: isRequired, autocomplete: autocomplete,
            text: { $0[keyPath: part] },
            set: { value, text in
                value[keyPath: part] = text
                try check(text)
            })
    }

    /// A field that may be left empty: then the part is nil, and nothing is checked.
    init(
        _ label: String, _ name: String, _ part: WritableKeyPath<Value, String?>, hint: HTML? = nil,
        _ input: ConsoleInput = .line("text"), check: @escaping (String) throws -> Void = { _ in }
    ) {
        self.init(
            label: label, name: name, hint: hint, input: input, text: { $0[keyPath: part] ?? "" },
            set: { value, text in
                value[keyPath: part] = text.isEmpty ? nil : text
                if !text.isEmpty { try check(text) }
            })
    }

    /// A box to tick.
    init(_ label: String, _ name: String, _ part: WritableKeyPath<Value, Bool>, hint: HTML? = nil) {
        self.init(
            label: label, name: name, hint: hint, input: .check, text: { String($0[keyPath: part]) },
            set: { value, text in value[keyPath: part] = text == "true" })
    }
}

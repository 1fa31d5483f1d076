// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

/// One field of a form, with its label, a hint, and what is wrong with what was typed.
struct ConsoleField {
    enum Kind {
        /// A line of text; the word is the input's type, such as `text`, `email`, `number`, `password`, `url`.
        case line(String)
        case area(rows: Int)
        /// Values with their labels.
        case choice([(value: String, label: String)])
        case check
        /// A file of one of these types, such as `image/png`.
        case file([String])
    }

    let label: String
    let name: String
    var value = ""
    var hint: HTML?
    var fault: String?
    var kind = Kind.line("text")
    var isRequired = false
    /// What a browser may fill in (HTML, section 4.10.18.7).
    var autocomplete = "off"

    init(
        _ label: String, _ name: String, value: String = "", hint: HTML? = nil, fault: String? = nil,
        kind: Kind = .line("text"), isRequired: Bool = false, autocomplete: String = "off"
    ) {
        self.label = label
        self.name = name
        self.value = value
        self.hint = hint
        self.fault = fault
        self.kind = kind
        self.isRequired = isRequired
        self.autocomplete = autocomplete
    }

    /// A checkbox that sends `true`, and nothing when it is off.
    static func check(
        _ label: String, _ name: String, isOn: Bool, hint: HTML? = nil, fault: String? = nil
    ) -> ConsoleField {
        ConsoleField(label, name, value: isOn ? "true" : "", hint: hint, fault: fault, kind: .check)
    }

    /// - Parameter scope: tells fields of one name on one page apart.
    func html(scope: String = "") -> HTML {
        let id = "f-\(scope)\(name.map { $0.isLetter || $0.isNumber ? $0 : "-" }.map(String.init).joined())"
        let described = [hint == nil ? nil : "\(id)-hint", fault == nil ? nil : "\(id)-fault"].compactMap(\.self)
        let description: HTML =
            described.isEmpty ? "" : " aria-describedby=\"\(described.joined(separator: " "))\""
        let state: HTML = """
            \(description)\(fault == nil ? "" : " aria-invalid=\"true\" autofocus" as HTML)\
            \(isRequired ? " required" as HTML : "")
            """
        let hintLine: HTML = hint.map { "<p class=\"hint\" id=\"\(id)-hint\">\($0)</p>" } ?? ""
        let faultLine: HTML = fault.map { "<p class=\"fault\" id=\"\(id)-fault\">\($0)</p>" } ?? ""
        switch kind {
        case .check:
            return """
                <div class="check"><input type="checkbox" id="\(id)" name="\(name)" value="true"\
                \(value == "true" ? " checked" as HTML : "")\(state)><div><label for="\(id)">\(label)</label>\(hintLine)\
                \(faultLine)</div></div>
                """
        case .line(let type):
            return """
                <div class="field"><label for="\(id)">\(label)</label><input type="\(type)" id="\(id)" name="\(name)" \
                value="\(value)" autocomplete="\(autocomplete)" spellcheck="false"\(state)>\(hintLine)\(faultLine)</div>
                """
        case .area(let rows):
            // A line break right behind the tag would be dropped.
            return """
                <div class="field"><label for="\(id)">\(label)</label><textarea id="\(id)" name="\(name)" rows="\(rows)" \
                spellcheck="false"\(state)>
                \(value)</textarea>\(hintLine)\(faultLine)</div>
                """
        case .file(let types):
            return """
                <div class="field"><label for="\(id)">\(label)</label><input type="file" id="\(id)" name="\(name)" \
                accept="\(types.joined(separator: ","))"\(state)>\(hintLine)\(faultLine)</div>
                """
        case .choice(let options):
            let choices = options.map { option -> HTML in
                let isChosen = option.value.utf8.elementsEqual(value.utf8)
                return
                    "<option value=\"\(option.value)\"\(isChosen ? " selected" as HTML : "")>\(option.label)</option>"
            }
            return """
                <div class="field"><label for="\(id)">\(label)</label><select id="\(id)" name="\(name)"\(state)>\
                \(choices)</select>\(hintLine)\(faultLine)</div>
                """
        }
    }
}

/// The parts of which pages of the console are made.
extension ConsoleContext {
    enum Emphasis: String {
        case primary = ""
        case quiet
        case danger
    }

    /// A form to a path of the console, with this session's token.
    ///
    /// - Parameters:
    ///   - hidden: fields that the person does not see, such as the thing that the form is about.
    func form(
        to target: String? = nil, hidden: [(String, String)] = [], _ content: HTML = "", button: String,
        _ emphasis: Emphasis = .primary, hasFile: Bool = false
    ) -> HTML {
        let path = target ?? path
        return """
            <form method="post" action="\(path)"\(hasFile ? " enctype=\"multipart/form-data\"" as HTML : "")>\
            <input type="hidden" name="token" value="\(token(for: path))">\
            \(hidden.map { "<input type=\"hidden\" name=\"\($0.0)\" value=\"\($0.1)\">" as HTML })\
            \(content)<button type="submit" class="\(emphasis.rawValue)">\(button)</button></form>
            """
    }

    /// Something that is not undone easily: a click opens what happens, a second one does it.
    func confirmation(
        _ summary: String, _ sentence: HTML, to target: String? = nil, hidden: [(String, String)], button: String,
        _ emphasis: Emphasis = .danger
    ) -> HTML {
        """
        <details class="act"><summary>\(summary)</summary><p>\(sentence)</p>\
        \(form(to: target, hidden: hidden, button: button, emphasis))</details>
        """
    }
}

/// A table that scrolls alone on a phone.
struct ConsoleTable {
    let caption: String
    let headings: [String]
    let rows: [[HTML]]

    init(_ caption: String, _ headings: [String], _ rows: [[HTML]]) {
        self.caption = caption
        self.headings = headings
        self.rows = rows
    }

    var html: HTML {
        let head = headings.map { "<th scope=\"col\">\($0)</th>" as HTML }
        let body = rows.map { row -> HTML in
            let cells = row.enumerated().map { index, cell -> HTML in
                index == 0 ? "<th scope=\"row\">\(cell)</th>" : "<td>\(cell)</td>"
            }
            return "<tr>\(cells)</tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="\(caption)"><table><caption>\(caption)</caption>\
            <thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>
            """
    }
}

/// Lines for an app or a terminal, to be copied.
struct ConsoleLines {
    let name: String
    let text: String

    init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }

    var html: HTML { "<pre data-copy=\"\(name)\">\(text)</pre>" }
}

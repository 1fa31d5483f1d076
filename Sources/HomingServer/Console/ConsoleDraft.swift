// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingTexts
import HomingWire

/// What was typed into a form of a page, and what is wrong with it, by the names of the fields.
struct ConsoleDraft {
    /// The form that was sent, where the page has several.
    let form: String
    var values: [String: String]
    var faults: [String: String] = [:]

    /// Nothing was typed yet.
    init() {
        form = ""
        values = [:]
    }

    init(_ sent: ConsoleForm, form: String = "") {
        self.form = form
        values = Dictionary(
            sent.fields.parameters.map { ($0.name, sent.text($0.name)) }, uniquingKeysWith: { first, _ in first })
    }

    subscript(name: String) -> String { values[name] ?? "" }

    /// A value that was given.
    func given(_ name: String) -> String? { self[name].isEmpty ? nil : self[name] }

    var isRefused: Bool { !faults.isEmpty }

    var status: HTTPResponse.Status { isRefused ? .badRequest : .ok }

    /// Checks what was typed into a field, and notes what is wrong with it.
    ///
    /// - Returns: what the check answers; nil where it refuses.
    @discardableResult
    mutating func check<Value>(_ name: String, _ check: (String) throws(Refusal) -> Value) -> Value? {
        do {
            return try check(self[name])
        } catch {
            faults[name] = error.consoleSentence
            return nil
        }
    }

    /// A field of a form, with what was typed into that form before.
    func field(
        _ label: String, _ name: String, in form: String = "", standard: String = "", hint: HTML? = nil,
        kind: ConsoleField.Kind = .line("text"), isRequired: Bool = false
    ) -> ConsoleField {
        let isHere = ASCII.areEqual(self.form, form)
        return ConsoleField(
            label, name, value: (isHere ? values[name] : nil) ?? standard, hint: hint,
            fault: isHere ? faults[name] : nil, kind: kind, isRequired: isRequired)
    }
}

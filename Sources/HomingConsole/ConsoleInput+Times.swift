// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingStore
import HomingTexts
import HomingWire

/// Durations, as a number and a unit.
extension ConsoleInput {
    /// What a form says of a duration, as it is kept; as it was typed where it is none.
    ///
    /// - Parameter unit: nil where the form does not say: then the number says it, or counts seconds.
    static func sentDuration(_ number: String, _ unit: String?, suffix: String) -> String {
        let number = String(ASCII.trimmed(number))
        guard !number.isEmpty else { return "" }
        let said = unit.map { "\(number) \($0)" } ?? number
        guard let duration = SpokenDuration(parsing: said), duration.seconds > 0 else { return said }
        return "\(duration.seconds)\(suffix)"
    }

    /// - Parameters:
    ///   - text: seconds, or what was typed and is no duration.
    ///   - names: the id and the name of the field of the number.
    ///   - state: its other attributes.
    static func durationControl(_ text: String, name: String, label: String, names: HTML, state: HTML) -> HTML {
        let shown = parts(of: text)
        let units = SpokenDuration.Unit.allCases.map { unit -> HTML in
            "<option\(unit == shown.unit ? " selected" as HTML : "")>\(unit.rawValue)</option>"
        }
        return """
            <div class="duration"><input type="number" min="1" \(names) value="\(shown.number)" \
            autocomplete="off"\(state)>\
            <select name="unit:\(name)" aria-label="\(label): unit">\(units)</select></div>
            """
    }

    private static func parts(of text: String) -> (number: String, unit: SpokenDuration.Unit) {
        if let said = SpokenDuration(parsing: text) {
            let duration = said.unit == .seconds ? SpokenDuration(seconds: said.seconds) : said
            return (String(duration.count), duration.unit)
        }
        let words = text.split(separator: " ")
        guard words.count > 1, let unit = words.last.flatMap(SpokenDuration.Unit.init(said:)) else {
            return (text, .days)
        }
        return (words.dropLast().joined(separator: " "), unit)
    }
}

/// Times, as a browser asks for them: a day and a time without a zone.
extension ConsoleInput {
    /// What a form says of a time, as it is kept; as it was typed where it is none.
    static func sentTime(_ text: String) -> String {
        let typed = String(ASCII.trimmed(text))
        // To the minute, as most browsers send it.
        let moment = Moment(timestamp: typed) ?? Moment(timestamp: "\(typed)\(typed.utf8.count == 16 ? ":00" : "")Z")
        return moment?.timestamp ?? typed
    }

    /// A script shows the time in the reader's zone, sends it in UTC, and names the zone.
    ///
    /// - Parameters:
    ///   - text: as it is kept, or what was typed and is no time.
    ///   - names: the id and the name of the field.
    ///   - state: its other attributes.
    static func timeControl(_ text: String, id: String, names: HTML, state: HTML) -> HTML {
        let isWholeMinute = text.hasSuffix(":00.000Z")
        let shown = isWholeMinute ? text.dropLast(8) : text.hasSuffix("Z") ? text.dropLast() : text[...]
        return """
            <div class="time"><input type="datetime-local" \(names) value="\(String(shown))" step="any" \
            autocomplete="off" data-utc\(state)><span class="soft" id="\(id)-zone">UTC</span></div>
            """
    }
}

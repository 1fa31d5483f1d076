// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Numbers as columns over days, beside a table of the same. Lengths across are parts of the width, so that the words
/// have their size on a phone, too; colours are those of the style sheet, by day and in the dark. Columns stand in the
/// order of the legend, and each one says its numbers under a pointer: nobody has to tell colours apart.
package struct Chart {
    /// One kind of number, such as emails that were opened; its values in the order of the chart's labels.
    package struct Series {
        let name: String
        let values: [Int64]
        let shade: Shade?

        /// - Parameter shade: nil for the next one.
        package init(name: String, values: [Int64], shade: Shade? = nil) {
            self.name = name
            self.values = values
            self.shade = shade
        }
    }

    /// A colour of the style sheet, which has 3:1 or more against the card in both schemes.
    package enum Shade: String, CaseIterable, Sendable {
        case blue = "c1"
        case green = "c2"
        case amber = "c3"
        case violet = "c4"
        /// For what does not count much, such as machines.
        case grey = "c5"
        /// For what went wrong.
        case red = "c6"
    }

    let title: String
    /// What a person who does not see the picture is told of it.
    let summary: String
    let labels: [String]
    /// Stacked from the ground up.
    let series: [Series]
    /// Tells charts of one page apart.
    let id: String

    private static let height = 232.0
    /// Where numbers are nothing.
    private static let ground = 200.0
    /// Room above the highest column, for its number.
    private static let above = 18.0
    /// The most columns whose numbers stand above them.
    private static let mostNumbers = 12

    package init(title: String, summary: String, labels: [String], series: [Series], id: String = "chart") {
        self.title = title
        self.summary = summary
        self.labels = labels
        self.series = series
        self.id = id
    }

    package var picture: HTML {
        let (lines, size) = (self.lines, Int(Self.height))
        let longest = lines.map { ChartNumber.short($0).utf8.count }.max() ?? 0
        return """
            <div class="chart"><svg class="scale" width="\(longest * 7 + 2)" height="\(size)" aria-hidden="true">\
            \(scale(lines, width: longest * 7))</svg><svg class="plot" width="100%" height="\(size)" role="img" \
            aria-labelledby="\(id)-title \(id)-desc"><title id="\(id)-title">\(title)</title>\
            <desc id="\(id)-desc">\(summary)</desc>\(grid(lines))\(columns)\(marks)</svg></div>
            \(legend)
            """
    }

    // MARK: The scale

    private func value(_ series: Series, _ index: Int) -> Int64 {
        // A series that is too short has zeros at its end; no number is below zero.
        index < series.values.count ? max(0, series.values[index]) : 0
    }

    private func sum(at index: Int) -> Double { series.reduce(0) { $0 + Double(value($1, index)) } }

    /// The numbers at which there is a line: four or five steps of 1, 2 or 5 times a power of ten, from nothing to no
    /// less than the highest column.
    private var lines: [Double] {
        let highest = labels.indices.map { sum(at: $0) }.max() ?? 0
        let least = max(1, highest / 4)
        var power = 1.0
        while power * 10 <= least { power *= 10 }
        let step = [1, 2, 5, 10].map { $0 * power }.first { $0 >= least } ?? 10 * power
        return (0...max(1, Int((highest / step).rounded(.up)))).map { Double($0) * step }
    }

    /// The height in the picture for a number.
    private func length(_ number: Double) -> Double { number / (lines.last ?? 1) * (Self.ground - Self.above) }

    private func scale(_ lines: [Double], width: Int) -> HTML {
        HTML(
            joining: lines.map { number in
                """
                <text x="\(width)" y="\(Self.text(Self.ground - length(number)))" dy="4" text-anchor="end">\
                \(ChartNumber.short(number))</text>
                """
            })
    }

    private func grid(_ lines: [Double]) -> HTML {
        HTML(
            joining: lines.map { number in
                let y = Self.text(Self.ground - length(number))
                return "<line x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>"
            })
    }

    // MARK: The columns

    /// The part of the width that each column has, with the room around it, in hundredths.
    private var room: Double { 100 / Double(max(1, labels.count)) }

    private var columns: HTML {
        let width = room * (labels.count <= Self.mostNumbers ? 0.5 : 0.72)
        let top = lines.last ?? 1
        return HTML(joining: labels.indices.map { column(at: $0, width: width, top: top) })
    }

    private func column(at index: Int, width: Double, top: Double) -> HTML {
        let total = sum(at: index)
        guard total > 0 else { return "" }
        var y = Self.ground
        let (left, whole) = (room * Double(index), Self.ground - Self.above)
        let parts = series.indices.compactMap { number -> HTML? in
            let height = Double(value(series[number], index)) / top * whole
            guard height > 0 else { return nil }
            y -= height
            return """
                <rect class="\(shade(number).rawValue)" x="\(Self.text(left + (room - width) / 2))%" \
                y="\(Self.text(y))" width="\(Self.text(width))%" height="\(Self.text(height))"/>
                """
        }
        return """
            <g><title>\(labels[index]): \(numbers(at: index))</title><rect class="hit" x="\(Self.text(left))%" \
            width="\(Self.text(room))%" height="\(Self.text(Self.ground))"/>\(parts)\(label(total, at: index, above: y))</g>
            """
    }

    /// `people 3, machines 1`.
    private func numbers(at index: Int) -> String {
        series.map { "\($0.name) \(ChartNumber.whole(value($0, index)))" }.joined(separator: ", ")
    }

    /// The number above a column, where there is room for it.
    private func label(_ total: Double, at index: Int, above y: Double) -> HTML {
        guard labels.count <= Self.mostNumbers else { return "" }
        return """
            <text class="value\(labels.count > 7 ? " more" : "")" x="\(Self.text(room * (Double(index) + 0.5)))%" \
            y="\(Self.text(y - 5))" text-anchor="middle">\(ChartNumber.short(total))</text>
            """
    }

    /// The labels that never overlap: all of a week, else five, and three of them on a phone.
    private var marks: HTML {
        let (count, isFew) = (labels.count, labels.count <= 8)
        let shown = isFew ? Array(labels.indices) : (0...4).map { $0 * (count - 1) / 4 }
        return HTML(
            joining: shown.enumerated().map { place, index in
                let anchor = isFew || (1...3).contains(place) ? "middle" : place == 0 ? "start" : "end"
                let edge = anchor == "middle" ? 0.5 : place == 0 ? 0 : 1.0
                let isLeftOut = place % 2 == 1 && count > 4
                return """
                    <text x="\(Self.text(room * (Double(index) + edge)))%" y="\(Self.text(Self.height - 10))" \
                    text-anchor="\(anchor)"\(isLeftOut ? " class=\"more\"" as HTML : "")>\(labels[index])</text>
                    """ as HTML
            })
    }

    private var legend: HTML {
        let items = series.indices.map { number -> HTML in
            """
            <li><svg width="10" height="10" aria-hidden="true"><rect class="\(shade(number).rawValue)" width="10" \
            height="10" rx="2"/></svg>\(series[number].name)</li>
            """
        }
        return "<ul class=\"legend\">\(items)</ul>"
    }

    private func shade(_ index: Int) -> Shade { series[index].shade ?? Shade.allCases[index % Shade.allCases.count] }

    /// A coordinate with at most two decimals.
    private static func text(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let (whole, rest) = (hundredths / 100, abs(hundredths % 100))
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Numbers as people read them.
package enum ChartNumber {
    /// `1,234,567`.
    package static func whole(_ number: Int64) -> String {
        let digits = String(number.magnitude)
        let groups = digits.utf8.enumerated().reduce(into: "") { text, digit in
            if digit.offset > 0, (digits.utf8.count - digit.offset) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit.element))
        }
        return number < 0 ? "-\(groups)" : groups
    }

    /// Few letters for a number from 10,000 on: `12.5k`, `2M`.
    static func short(_ number: Double) -> String {
        let units = [(1e9, "bn"), (1e6, "M"), (1e3, "k")]
        guard number >= 10_000, let (unit, letter) = units.first(where: { number >= $0.0 }) else {
            return whole(Int64(number))
        }
        let tenths = Int64((number / unit * 10).rounded())
        return tenths % 10 == 0 ? "\(whole(tenths / 10))\(letter)" : "\(whole(tenths / 10)).\(tenths % 10)\(letter)"
    }
}

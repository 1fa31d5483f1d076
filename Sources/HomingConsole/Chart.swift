// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Numbers as a picture and as a table. The picture is drawn here, in the colour of the text around it and in shades of
/// that, so that it reads in the dark and on paper; whoever does not see it has the table.
package struct Chart {
    /// One kind of number, such as mails that were opened; its values in the order of the chart's labels.
    package struct Series {
        let name: String
        let values: [Int64]

        package init(name: String, values: [Int64]) {
            self.name = name
            self.values = values
        }
    }

    let title: String
    /// What a person who does not see the picture is told of it.
    let summary: String
    let labels: [String]
    /// Stacked from the ground up, from the strongest shade to the faintest.
    let series: [Series]
    /// Tells charts of one page apart.
    let id: String

    private static let width = 720
    private static let height = 220
    /// Room for the scale on the left, and for the labels below.
    private static let left = 56
    private static let below = 30
    private static let shades = ["1", "0.72", "0.5", "0.32", "0.16", "0.08"]

    package init(title: String, summary: String, labels: [String], series: [Series], id: String = "chart") {
        self.title = title
        self.summary = summary
        self.labels = labels
        self.series = series
        self.id = id
    }

    package var picture: HTML {
        """
        <svg class="chart" viewBox="0 0 \(Self.width) \(Self.height)" role="img" \
        aria-labelledby="\(id)-title \(id)-desc"><title id="\(id)-title">\(title)</title>\
        <desc id="\(id)-desc">\(summary)</desc><g fill="currentColor" font-size="12">\(scale)\(columns)\(marks)</g></svg>
        \(legend)
        """
    }

    // MARK: Parts

    /// The height of the highest column, rounded up so that the scale is easy to read.
    private var top: Int64 {
        let highest = labels.indices.map { sum(at: $0) }.max() ?? 0
        var step: Int64 = 1
        while true {
            for factor: Int64 in [1, 2, 5] where highest <= factor * step { return factor * step }
            guard step < Int64.max / 100 else { return highest }
            step *= 10
        }
    }

    private func sum(at index: Int) -> Int64 { series.reduce(0) { $0 + value($1, index) } }

    /// A series that is too short has zeros at its end; no number is below zero.
    private func value(_ series: Series, _ index: Int) -> Int64 {
        index < series.values.count ? max(0, series.values[index]) : 0
    }

    private var ground: Int { Self.height - Self.below }

    /// The height in the picture for a number.
    private func length(_ number: Int64) -> Double {
        Double(number) / Double(max(1, top)) * Double(ground - 12)
    }

    private var scale: HTML {
        let lines = top % 2 == 0 ? [0, top / 2, top] : [0, top]
        return HTML(
            joining: lines.map { number in
                let y = Self.text(Double(ground) - length(number))
                return """
                    <path d="M\(Self.left) \(y)H\(Self.width)" stroke="currentColor" stroke-opacity="0.16"/>\
                    <text x="\(Self.left - 8)" y="\(y)" dy="4" text-anchor="end">\(String(number))</text>
                    """ as HTML
            })
    }

    private var columns: HTML {
        let room = Double(Self.width - Self.left) / Double(max(1, labels.count))
        let width = min(48, room * 0.72)
        return HTML(
            joining: labels.indices.map { index in
                var y = Double(ground)
                let x = Double(Self.left) + room * (Double(index) + 0.5) - width / 2
                let parts = series.enumerated().compactMap { number, series -> HTML? in
                    let height = length(value(series, index))
                    guard height > 0 else { return nil }
                    y -= height
                    return """
                        <rect x="\(Self.text(x))" y="\(Self.text(y))" width="\(Self.text(width))" \
                        height="\(Self.text(height))" fill-opacity="\(shade(number))"/>
                        """
                }
                return "<g>\(HTML(joining: parts))</g>"
            })
    }

    /// The first, the middle and the last label, which never overlap.
    private var marks: HTML {
        let room = Double(Self.width - Self.left) / Double(max(1, labels.count))
        let shown = labels.count <= 8 ? Array(labels.indices) : [0, labels.count / 2, labels.count - 1]
        return HTML(
            joining: shown.map { index in
                let x = Self.text(Double(Self.left) + room * (Double(index) + 0.5))
                let anchor = labels.count <= 8 || index == labels.count / 2 ? "middle" : index == 0 ? "start" : "end"
                return "<text x=\"\(x)\" y=\"\(Self.height - 6)\" text-anchor=\"\(anchor)\">\(labels[index])</text>"
                    as HTML
            })
    }

    private var legend: HTML {
        let items = series.enumerated().map { index, series -> HTML in
            """
            <li><svg viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><rect width="14" height="14" \
            fill="currentColor" fill-opacity="\(shade(index))" stroke="currentColor" stroke-opacity="0.5"/></svg> \
            \(series.name)</li>
            """
        }
        return "<ul class=\"legend\">\(HTML(joining: items))</ul>"
    }

    private func shade(_ index: Int) -> String { Self.shades[min(index, Self.shades.count - 1)] }

    /// A coordinate with one decimal.
    private static func text(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
    }
}

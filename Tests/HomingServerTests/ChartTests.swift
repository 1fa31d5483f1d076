// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingConsole
import HomingTexts
import Testing

@Suite struct ChartTests {
    private static func chart(_ values: [[Int64]], labels: [String]? = nil, name: String = "sent") -> Chart {
        let count = values.map(\.count).max() ?? 0
        return Chart(
            title: "Mails", summary: "Some mails.", labels: labels ?? (0..<count).map { "day \($0)" },
            series: values.map { Chart.Series(name: name, values: $0) })
    }

    /// The rectangles of the columns: y and height of each.
    private static func columns(_ chart: Chart) -> [(y: Double, height: Double)] {
        chart.picture.utf8Text.matches(of: /<rect x="[0-9.]+" y="([0-9.]+)" width="[0-9.]+" height="([0-9.]+)"/)
            .map { (Double($0.1) ?? .nan, Double($0.2) ?? .nan) }
    }

    @Test func `the parts of a column stand on each other, and are as high as their numbers`() {
        let columns = Self.columns(Self.chart([[1, 3], [4, 2]]))
        #expect(columns.count == 4)
        for pair in [columns[0..<2], columns[2..<4]] {
            let (low, high) = (pair[pair.startIndex], pair[pair.startIndex + 1])
            #expect(abs(high.y + high.height - low.y) <= 0.2)
            #expect(abs(low.y + low.height - 190) <= 0.2, "on the ground")
        }
        #expect(abs(columns[1].height / columns[0].height - 4) < 0.1)
        #expect(abs(columns[0].height + columns[1].height - columns[2].height - columns[3].height) <= 0.2)
        #expect(columns.allSatisfy { $0.y >= 0 })
    }

    @Test func `nothing, too little and nonsense are drawn without a column out of place`() {
        for values: [[Int64]] in [[], [[]], [[0, 0]], [[-5, 3]], [[1], [2, 3]], [[.max / 2], [.max / 4]]] {
            let chart = Self.chart(values)
            for column in Self.columns(chart) { #expect(column.y >= 0 && column.height > 0 && column.height <= 190) }
            #expect(chart.picture.utf8Text.contains("<title id=\"chart-title\">Mails</title>"))
        }
    }

    @Test func `the picture says what it shows, takes its colour from the text, and loads nothing`() {
        let text = Self.chart([[1, 2], [3, 4]]).picture.utf8Text
        #expect(text.contains("role=\"img\" aria-labelledby=\"chart-title chart-desc\""))
        #expect(text.contains("<desc id=\"chart-desc\">Some mails.</desc>"))
        #expect(!text.contains("#") && !text.contains("style") && !text.contains("href") && !text.contains("url("))
        #expect(text.components(separatedBy: "<svg").count == text.components(separatedBy: "</svg>").count)
    }

    @Test func `names are text, whatever they are`() {
        let hostile = "<script>\"'&"
        let text = Self.chart([[1]], labels: [hostile], name: hostile).picture.utf8Text
        #expect(!text.contains("<script>") && text.contains("&lt;script&gt;"))
    }

    @Test(arguments: [(1, 1), (2, 2), (3, 5), (7, 10), (11, 20), (999, 1000), (1001, 2000)] as [(Int64, Int64)])
    func `the scale ends at a round number`(highest: Int64, top: Int64) {
        #expect(Self.chart([[highest]]).picture.utf8Text.contains("text-anchor=\"end\">\(top)</text>"))
    }
}

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
        chart.picture.utf8Text.matches(
            of: /<rect class="c\d" x="[0-9.]+%" y="([0-9.]+)" width="[0-9.]+%" height="([0-9.]+)"/
        )
        .map { (Double($0.1) ?? .nan, Double($0.2) ?? .nan) }
    }

    @Test func `the parts of a column stand on each other, and are as high as their numbers`() {
        let columns = Self.columns(Self.chart([[1, 3], [4, 2]]))
        #expect(columns.count == 4)
        for pair in [columns[0..<2], columns[2..<4]] {
            let (low, high) = (pair[pair.startIndex], pair[pair.startIndex + 1])
            #expect(abs(high.y + high.height - low.y) <= 0.2)
            #expect(abs(low.y + low.height - 200) <= 0.2, "on the ground")
        }
        #expect(abs(columns[1].height / columns[0].height - 4) < 0.1)
        #expect(abs(columns[0].height + columns[1].height - columns[2].height - columns[3].height) <= 0.2)
        #expect(columns.allSatisfy { $0.y >= 0 })
    }

    @Test func `nothing, too little and nonsense are drawn without a column out of place`() {
        for values: [[Int64]] in [[], [[]], [[0, 0]], [[-5, 3]], [[1], [2, 3]], [[.max / 2], [.max / 4]]] {
            let chart = Self.chart(values)
            for column in Self.columns(chart) { #expect(column.y >= 0 && column.height > 0 && column.height <= 200) }
            #expect(chart.picture.utf8Text.contains("<title id=\"chart-title\">Mails</title>"))
        }
    }

    @Test func `the picture says what it shows, takes its colours from the style sheet, and loads nothing`() {
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

    @Test(
        arguments: [
            (0, ["0", "1"]), (1, ["0", "1"]), (3, ["0", "1", "2", "3"]), (7, ["0", "2", "4", "6", "8"]),
            (11, ["0", "5", "10", "15"]), (999, ["0", "500", "1,000"]), (1001, ["0", "500", "1,000", "1,500"]),
            (120_000, ["0", "50k", "100k", "150k"]), (9_000_000, ["0", "5M", "10M"]),
        ] as [(Int64, [String])])
    func `the scale has a few round numbers, up to one that no column is above`(highest: Int64, numbers: [String]) {
        let text = Self.chart([[highest]]).picture.utf8Text
        let scale = text.prefix { $0 != "\n" }.components(separatedBy: "</svg>")[0]
        #expect(scale.matches(of: />([^<]+)<\/text>/).map { String($0.1) } == numbers)
    }

    @Test func `a column says its numbers under a pointer, and few columns say their sums above them`() {
        let text = Self.chart([[1200, 0], [3, 0]]).picture.utf8Text
        #expect(text.contains("<title>day 0: sent 1,200, sent 3</title>") && !text.contains("<title>day 1"))
        #expect(text.contains(">1,203</text>"))
        let many = Self.chart([Array(repeating: 77, count: 13)]).picture.utf8Text
        #expect(!many.contains("class=\"value"))
    }

    @Test func `whatever went wrong has the same colour in every chart`() {
        let chart = Chart(
            title: "Emails", summary: "", labels: ["a"],
            series: [Chart.Series(name: "sent", values: [1]), Chart.Series(name: "lost", values: [1], shade: .red)])
        #expect(chart.picture.utf8Text.contains("class=\"c1\"") && chart.picture.utf8Text.contains("class=\"c6\""))
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567")] as [(Int64, String)])
    func `long numbers have their digits in groups`(number: Int64, text: String) {
        #expect(ChartNumber.whole(number) == text)
    }
}

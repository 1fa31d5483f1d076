// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase

/// Prometheus' text format, version 0.0.4.
struct Exposition {
    enum Kind: String {
        case counter, gauge, histogram
    }

    /// Labels in order. Values are our own names and versions, in which nothing has to be escaped.
    typealias Labels = KeyValuePairs<String, String>

    private(set) var text = ""
    private var name = ""

    /// Begins a metric. Its samples follow.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    /// A whole metric with one sample.
    mutating func metric(_ name: String, _ kind: Kind, _ help: String, _ value: some Numeric & Sendable) {
        metric(name, kind, help)
        sample(value)
    }

    mutating func sample(_ labels: Labels, _ value: some Numeric & Sendable) { line("", labels, "\(value)") }

    mutating func sample(_ value: some Numeric & Sendable) { line("", [:], "\(value)") }

    mutating func histogram(_ times: Histogram.Snapshot) { histogram([:], times) }

    mutating func histogram(_ labels: Labels, _ times: Histogram.Snapshot) {
        let common = Self.inside(labels)
        let comma = common.isEmpty ? "" : ","
        for (bound, count) in zip(Histogram.bounds + ["+Inf"], times.counts + [times.count]) {
            text += "\(name)_bucket{\(common)\(comma)le=\"\(bound)\"} \(count)\n"
        }
        line("_sum", labels, "\(times.seconds)")
        line("_count", labels, "\(times.count)")
    }

    private mutating func line(_ suffix: String, _ labels: Labels, _ value: String) {
        let inside = Self.inside(labels)
        text += "\(name)\(suffix)\(inside.isEmpty ? "" : "{\(inside)}") \(value)\n"
    }

    private static func inside(_ labels: Labels) -> String {
        labels.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ",")
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// A duration as people say it: a whole number of one unit, such as 3 days.
package struct SpokenDuration: Sendable, Equatable {
    package enum Unit: String, Sendable, CaseIterable {
        case seconds, minutes, hours, days

        package var seconds: Int64 {
            switch self {
            case .seconds: 1
            case .minutes: 60
            case .hours: 3_600
            case .days: 86_400
            }
        }

        /// By its name or by how that begins: `days`, `day`, `d`.
        package init?(said text: some StringProtocol) {
            let said = text.lowercased()
            guard !said.isEmpty, let unit = Self.allCases.first(where: { $0.rawValue.utf8.starts(with: said.utf8) })
            else { return nil }
            self = unit
        }
    }

    package let count: Int64
    package let unit: Unit
    package let seconds: Int64

    /// In the largest unit of which it is a whole number.
    package init(seconds: Int64) {
        unit = Unit.allCases.last { seconds > 0 && seconds.isMultiple(of: $0.seconds) } ?? .seconds
        count = seconds / unit.seconds
        self.seconds = seconds
    }

    /// Reads `3d`, `72 hours`, `90 min`, or seconds alone: `3600`, `3600s`.
    ///
    /// - Returns: nil for what is no whole number of a unit, and for more than 64 bits count.
    package init?(parsing text: String) {
        let digits = text.prefix { $0.utf8.allSatisfy(ASCII.isDigit) }
        let rest = ASCII.trimmed(String(text[digits.endIndex...]))
        guard let count = Int64(digits), let unit = rest.isEmpty ? .seconds : Unit(said: rest) else { return nil }
        let (seconds, isTooMuch) = count.multipliedReportingOverflow(by: unit.seconds)
        guard !isTooMuch else { return nil }
        self.count = count
        self.unit = unit
        self.seconds = seconds
    }

    /// `3 days`, `1 hour`.
    package var text: String { "\(count) \(count == 1 ? String(unit.rawValue.dropLast()) : unit.rawValue)" }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// When a key ends, as an operator writes it: after days (`90d`) or hours (`12h`), or at the end of a day in UTC
/// (`2027-06-30`).
package struct KeyEnd: Sendable {
    private enum Span {
        case seconds(Int64)
        case until(Moment)
    }

    private static let day: Int64 = 86_400
    private static let longestDays: Int64 = 36_500
    private let span: Span

    /// Nil for any other text, and for more than a hundred years.
    package init?(parsing text: String) {
        if text.utf8.contains(UInt8(ascii: "-")), text.utf8.count == 10,
            let date = TakeoutTimestamp.milliseconds(text)
        {
            span = .until(Moment(milliseconds: date).adding(seconds: Self.day))
            return
        }
        let units: [Character: Int64] = ["d": Self.day, "h": 3600]
        guard let unit = text.last.flatMap({ units[$0] }), text.utf8.dropLast().allSatisfy(ASCII.isDigit),
            let count = Int64(text.dropLast()), (1...Self.longestDays * 24).contains(count),
            count * unit <= Self.longestDays * Self.day
        else { return nil }
        span = .seconds(count * unit)
    }

    package func moment(at now: Moment) -> Moment {
        switch span {
        case .seconds(let seconds): now.adding(seconds: seconds)
        case .until(let moment): moment
        }
    }
}

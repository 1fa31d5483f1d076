// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingStore
import Logging
import Synchronization
import Testing

@Suite struct SecurityLogTests {
    private final class Lines: Sendable {
        let all = Mutex<[(kind: SecurityEvent.Kind, more: Int)]>([])

        var log: SecurityLog { SecurityLog { event, more in self.all.withLock { $0.append((event.kind, more)) } } }

        func take() -> [String] {
            all.withLock { lines in
                defer { lines = [] }
                return lines.map { "\($0.kind.rawValue) \($0.more)" }
            }
        }
    }

    private func event(_ kind: SecurityEvent.Kind, from caller: String) -> SecurityEvent {
        Asker.$current.withValue(Asker(IPAddress(parsing: caller), author: "app")) { SecurityEvent(kind) }
    }

    @Test func `of one event and caller ten a minute have a line, and the others are told as a number`() {
        let (lines, now) = (Lines(), Moment(milliseconds: 1_700_000_040_000))
        let log = lines.log
        for _ in 1...25 { log.report(event(.signInFailed, from: "192.0.2.66"), at: now) }
        #expect(lines.take() == Array(repeating: "sign_in_failed 0", count: 10))
        log.report(event(.signInFailed, from: "192.0.2.1"), at: now)
        log.report(event(.codeRefused, from: "192.0.2.66"), at: now)
        #expect(lines.take() == ["sign_in_failed 0", "code_refused 0"], "others and other events go on")
        log.report(event(.codeRefused, from: "192.0.2.1"), at: now.adding(seconds: 60))
        #expect(lines.take() == ["sign_in_failed 15", "code_refused 0"])
        log.report(event(.signInFailed, from: "192.0.2.66"), at: now.adding(seconds: 60))
        #expect(lines.take() == ["sign_in_failed 0"])
    }

    @Test func `a caller with a whole IPv6 network is one caller, and a hundred thousand callers fill no memory`() {
        let (lines, now) = (Lines(), Moment(milliseconds: 1_700_000_040_000))
        let log = lines.log
        for number in 1...25 { log.report(event(.signInFailed, from: "2001:db8::\(number)"), at: now) }
        #expect(lines.take().count == 10)
        for number in 0..<10_000 {
            log.report(event(.codeRefused, from: "10.1.\(number / 250).\(number % 250)"), at: now)
        }
        #expect(lines.take().count < 4200)
    }

    @Test func `the manual has every event with its level, its outcome and its meaning`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manual = try String(contentsOf: root.appendingPathComponent("docs/observing.md"), encoding: .utf8)
        let rows = manual.split(separator: "\n").filter {
            $0.contains(/^\| `[a-z_]+` \| (?:done|refused) \|/)
        }.map(String.init)
        let wanted = SecurityEvent.Kind.allCases.map {
            "| `\($0.rawValue)` | \($0.outcome.rawValue) | \($0.level.rawValue) | \($0.message) | \($0.meaning). |"
        }
        #expect(rows == wanted)
    }
}

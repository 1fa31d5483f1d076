// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingOperations
import Synchronization
import Testing

@Suite struct ProgressTests {
    private let half = Progress("importing", done: 150_000_000, of: 300_000_000, .bytes, detail: "1200 rows")

    @Test func `a line has the share, the count, the time that is left, the rate and the amount`() {
        #expect(
            half.line(after: .seconds(5), columns: 120)
                == "importing  50 %  [##########----------]  1200 rows  6 s left  30 MB/s  150 MB of 300 MB")
        #expect(
            Progress("copying", done: 5_000, of: 600_000, .bytes).line(after: .seconds(1), columns: 120)
                == "copying  0 %  [--------------------]  2 min 0 s left  5 kB/s  5 kB of 600 kB")
    }

    @Test func `the first moment promises nothing`() {
        #expect(
            half.line(after: .milliseconds(20), columns: 120)
                == "importing  50 %  [##########----------]  1200 rows  150 MB of 300 MB")
    }

    @Test func `work that is not counted in bytes has no rate, and work without a total no bar`() {
        #expect(
            Progress("looked at", done: 3, of: 8, .items, detail: "last links.example").line(
                after: .seconds(9), columns: 79)
                == "looked at  37 %  [#######-------------]  last links.example  3 of 8")
        #expect(Progress("asking", done: 0, of: nil, .items).line(after: .seconds(9), columns: 79) == "asking")
        #expect(
            Progress("copying", done: 0, of: 0, .bytes).line(after: .seconds(9), columns: 79) == "copying  0 kB of 0 kB"
        )
    }

    @Test(arguments: 0...100) func `a line never wraps, however narrow the terminal is`(columns: Int) {
        let line = half.line(after: .seconds(5), columns: columns)
        #expect(line.utf8.count <= columns)
        #expect(line.isEmpty == (columns < 9))
    }

    @Test func `more than there was to do is all of it, and control characters are no part of a line`() {
        let line = Progress("a\u{1B}[2Jb\n", done: 9, of: 3, .items).line(after: .zero, columns: 120)
        #expect(line == "a[2Jb  100 %  [####################]  9 of 3")
    }

    @Test func `each new task is shown, and updates in quick succession are not`() {
        let shown = Mutex<[Progress]>([])
        let reporter = ProgressReporter { progress in shown.withLock { $0.append(progress) } }
        for task in ["one", "two"] {
            for done in 0..<1000 { reporter(Progress(task, done: Int64(done), of: 1000, .items)) }
        }
        let firsts = shown.withLock { $0 }.filter { $0.done == 0 }.map(\.task)
        #expect(firsts == ["one", "two"])
        #expect(shown.withLock { $0.count } < 2000)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CYardsticks
import Foundation

/// A relay, or a provider over HTTP, that throws mail away: at once, after a while, or never saying a word.
enum Sink {
    private struct Report: Encodable {
        let mails: UInt64
        let bytesPerMail: UInt64
        let connections: UInt32
        let seconds: Double
        let rate: Double
    }

    static func serve(_ options: Options) throws {
        var fault = yardstick_fault()
        let failed = try options.text("save", default: "").withCString { save in
            var sink = try yardstick_sink(
                port: options.number("port"), delay: options.number("delay-ms", default: 0),
                hangs: options.number("hangs", default: 0), speaks_http: options.number("http", default: 0),
                expected: options.number("expected", default: 0), save: save)
            return yardstick_mail_sink(&sink, &fault, { sayReady() }, { $0.map { Sink.tell($0.pointee) } })
        }
        guard failed == 0 else { throw Fault(sentence(of: fault.text)) }
    }

    private static func tell(_ result: yardstick_sink_result) {
        let told = Report(
            mails: result.mails, bytesPerMail: result.mails == 0 ? 0 : result.bytes / result.mails,
            connections: result.connections, seconds: result.seconds,
            rate: result.seconds > 0 ? Double(result.mails) / result.seconds : 0)
        do {
            try report(told)
        } catch {
            FileHandle.standardError.write(Data("yardsticks: \(error)\n".utf8))
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CYardsticks

/// HTTP load on one thread, which takes its share of the same cores that it measures, the same from every server.
enum Load {
    private struct Report: Encodable {
        let answers: UInt64
        let successes: UInt64
        let broken: UInt64
        let firstBad: UInt32
        let started: Double
        let seconds: Double
        let rate: Double
        let p50: Double
        let p90: Double
        let p99: Double
        let worst: Double
    }

    static func measure(_ options: Options) throws {
        let headers = options.all("header").map { $0 + "\r\n" }.joined()
        let texts = try [
            options.text("method", default: "POST"), options.text("path"), headers,
            options.text("body", default: ""), options.text("lines", default: ""), options.text("save", default: ""),
            options.text("host", default: ""),
        ]
        var result = yardstick_load_result()
        var fault = yardstick_fault()
        let failed = try withCStrings(texts) { texts in
            var load = try yardstick_load(
                port: options.number("port"), connections: options.number("connections", default: 64),
                seconds: options.number("seconds", default: 3), count: options.number("count", default: 0),
                rate: options.number("rate", default: 0), first: options.number("first", default: 0),
                modulus: options.number("modulus", default: 0), seed: options.number("seed", default: 0),
                status: options.number("status", default: 0), host: texts[6], method: texts[0], path: texts[1],
                headers: texts[2], body: texts[3], lines: texts[4], save: texts[5])
            return yardstick_http_load(&load, &result, &fault)
        }
        guard failed == 0 else { throw Fault(sentence(of: fault.text)) }
        try report(
            Report(
                answers: result.answers, successes: result.successes, broken: result.broken,
                firstBad: result.first_bad, started: result.started, seconds: result.seconds,
                rate: result.seconds > 0 ? Double(result.successes) / result.seconds : 0, p50: result.p50,
                p90: result.p90, p99: result.p99, worst: result.worst))
    }

    /// Pointers to NUL-terminated copies that live as long as the call.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: ([UnsafePointer<CChar>]) throws -> Result
    ) throws -> Result {
        let copies = texts.map { Array($0.utf8CString) }
        func descend(_ pointers: [UnsafePointer<CChar>]) throws -> Result {
            guard pointers.count < copies.count else { return try body(pointers) }
            return try copies[pointers.count].withUnsafeBufferPointer { buffer in
                guard let pointer = buffer.baseAddress else { throw Fault("an option is empty") }
                return try descend(pointers + [pointer])
            }
        }
        return try descend([])
    }
}

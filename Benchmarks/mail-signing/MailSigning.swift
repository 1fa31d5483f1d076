// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingMail
import HomingProjects
import HomingTexts

/// What the signatures by a sender domain's keys cost for one letter: the processor's time, not the clock's, so that the
/// machine's other work counts little.
///
/// One line of JSON. `mail-signing [COUNT] [ROUNDS]`: how many letters to a round, and how many rounds.
@main
enum MailSigning {
    private struct Report: Encodable {
        /// Of the message.
        let bytes: Int
        /// For one letter, by what is done with it: the fastest of the rounds.
        let microseconds: [String: Double]
    }

    private struct Unsigned: Error {}

    static func main() throws {
        let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let count = numbers.first ?? 500
        let rounds = numbers.dropFirst().first ?? 5
        let message = letter.bytes()
        let keys = try DKIMKey.Algorithm.allCases.map { try DKIMKey(new: $0, domain: "app.example", selector: "h1") }
        var works: [(String, () throws -> Int)] = [
            ("the letter written", { letter.bytes().count }),
            ("both signatures", { try DKIMSignature.sign(message, with: keys, at: date).count }),
        ]
        for key in keys {
            let name = key.algorithm.rawValue
            works.append((name, { try DKIMSignature.sign(message, with: [key], at: date).count }))
            works.append(("\(name), the key alone", { try key.signature(of: Array(message.prefix(1_000))).utf8.count }))
        }
        var times: [String: Double] = [:]
        for (name, work) in works { times[name] = try fastest(count, rounds, work) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let report = Report(bytes: message.count, microseconds: times)
        FileHandle.standardOutput.write(try encoder.encode(report) + Data("\n".utf8))
    }

    private static func fastest(_ count: Int, _ rounds: Int, _ work: () throws -> Int) throws -> Double {
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = processorTime
            for _ in 0..<count {
                guard try work() > 0 else { throw Unsigned() }
            }
            least = min(least, (processorTime - start) / Double(count))
        }
        return least
    }

    /// The microseconds that this process has had of the processors, in its own code and in the system's.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    // MARK: The letter

    private static let date: Int64 = 1_795_228_560

    private static let letter: MailMessage = {
        let facts = LetterFacts(
            appName: "Lighthouse", address: "ada@home.example", displayName: "Ada",
            link: "https://auth.app.example/__/auth/action?mode=resetPassword&oobCode="
                + "ATy5QmXk2vR8wJp0Zs1NcLhB7dGfUoVaEi3xK9tMlPqCrYbWnSgDzH&apiKey=AIzaBenchBenchBenchBenchBenchBenchBench1"
                + "&continueUrl=https%3A%2F%2Fapp.example%2Farticles%2F7%3Ffrom%3Dmail%23comments&lang=en",
            language: .english, lifetime: 3600, sentAt: Int(date))
        let letter = Letter(.passwordReset, about: facts)
        return MailMessage(
            from: SenderAddress(name: "Lighthouse", address: "noreply@app.example"), to: facts.address,
            subject: letter.subject, text: letter.text, html: letter.html,
            messageID: "BmWh7GKpbM0xXc6jVf2tQA@app.example", date: date, language: "en",
            mailID: "BmWh7GKpbM0xXc6jVf2tQA")
    }()
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// Why something is left before its end.
enum Leaving: Error {
    case back
    case quit
    case endOfInput
    /// A link led to another place.
    case elsewhere(Place)
}

/// What the app says and asks: with colours on a terminal, as plain text everywhere else.
struct Terminal: Sendable {
    private let isColoured: Bool

    init() {
        let environment = ProcessInfo.processInfo.environment
        isColoured = isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
    }

    func say(_ text: String = "") {
        print(text)
    }

    func title(_ text: String) {
        print(isColoured ? "\n\u{1B}[1m\(text)\u{1B}[0m" : "\n\(text)")
    }

    func complain(_ text: String) {
        print(isColoured ? "\u{1B}[31m\(text)\u{1B}[0m" : text)
    }

    /// One line, without spaces at its ends.
    ///
    /// - Throws: ``Leaving``, for `back`, `quit` and the end of input.
    func ask(_ question: String) async throws -> String {
        prompt(question)
        let answer = try await line().trimmingCharacters(in: .whitespacesAndNewlines)
        switch answer.lowercased() {
        case "back": throw Leaving.back
        case "quit", "exit": throw Leaving.quit
        default: return answer
        }
    }

    /// One line that is not shown while it is typed. Nothing typed means back.
    func askSecret(_ question: String) async throws -> String {
        let answer = try await unseen {
            // Not before: what is typed before the echo is off is seen, and thrown away.
            prompt(question)
            return try await line()
        }
        guard !answer.isEmpty else { throw Leaving.back }
        return answer
    }

    private func prompt(_ question: String) {
        print(isColoured ? "\u{1B}[36m\(question) >\u{1B}[0m " : "\(question) > ", terminator: "")
        fflush(nil)
    }

    /// Waits on a thread that may be blocked, which those of `async` functions may not.
    private func line() async throws -> String {
        let line = await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: readLine()) }
        }
        guard let line else { throw Leaving.endOfInput }
        return line
    }

    private func unseen(_ body: () async throws -> String) async throws -> String {
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return try await body() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            print()
        }
        return try await body()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCore
import HomingPasswords
import HomingStore
import HomingWire
import Synchronization

/// An old system that knows some passwords, and remembers what it was asked.
final class ScriptedOldSystem: OldSystemAsker {
    struct Question: Equatable {
        let email: String
        let localID: String
        let password: String
        let key: String
    }

    static let system = try? OldSystem(
        url: "https://old.example/verify?shop=1", key: "0123456789abcdef0123456789abcdef")

    private struct State {
        var passwords: [String: String]
        var questions: [Question] = []
        var notes: [String] = []
        /// What it answers to every question, whatever it knows.
        var reply: OldSystemReply?
    }

    private let state: Mutex<State>
    /// What happens while a question is open.
    private let meanwhile: @Sendable () -> Void

    let patience: Duration

    /// - Parameter patience: so long that a slow machine does not matter.
    init(
        _ passwords: [String: String] = [:], patience: Duration = .seconds(600),
        meanwhile: @escaping @Sendable () -> Void = {}
    ) {
        self.patience = patience
        state = Mutex(State(passwords: passwords))
        self.meanwhile = meanwhile
    }

    func answer(_ reply: OldSystemReply?) { state.withLock { $0.reply = reply } }

    var notes: [String] { state.withLock { $0.notes } }
    var all: [Question] { state.withLock { $0.questions } }
    /// Those about somebody.
    var questions: [Question] { all.filter { !$0.email.hasSuffix("@homing.invalid") } }
    /// How often it was asked about nobody.
    var questionsAboutNobody: Int { all.count - questions.count }

    func ask(_ question: OldSystemQuestion) -> OldSystemReply {
        let body = (try? JSON.parse(Array(question.body.utf8)))?.objectValue
        let asked = Question(
            email: body?["email"]?.stringValue ?? "", localID: body?["localId"]?.stringValue ?? "",
            password: body?["password"]?.stringValue ?? "", key: question.system.key)
        let reply = state.withLock { state in
            state.questions.append(asked)
            let isRight = state.passwords[asked.email] == asked.password
            return state.reply ?? .answered(status: 200, body: Array("{\"valid\": \(isRight)}".utf8))
        }
        meanwhile()
        return reply
    }

    func note(_ reason: String, about system: OldSystem, of project: Scope) {
        state.withLock { $0.notes.append("\(project) \(system.place) \(reason)") }
    }
}

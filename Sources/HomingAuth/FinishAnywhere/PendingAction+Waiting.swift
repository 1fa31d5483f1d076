// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingWire

extension PendingAction {
    /// What the server says of a request.
    enum Answer {
        case pending
        /// A sign-in's tokens, which are given once.
        case tokens(JSON.Object)
        /// The code of a reset, a verification or a change, for whom its digits were typed.
        case code(String)
        case final(State)
    }

    /// How long the server may hold an answer back.
    private static let mostSeconds: Int64 = 25

    /// Asks the server how the request stands.
    func ask(typed digits: String? = nil) async throws(HomingAuthError) -> Answer {
        let answer = try await backend.call(
            "awaitOobCode",
            [
                ("requestId", .string(request.id)), ("codeVerifier", .string(request.verifier)),
                ("typedCode", digits.map { .string($0) }), ("wait", .int(digits == nil ? Self.mostSeconds : 0)),
                Auth.member(request.tenant),
            ])
        switch answer["state"]?.stringValue {
        case "PENDING": return .pending
        case "APPROVED": return answer["oobCode"]?.stringValue.map { .code($0) } ?? .tokens(answer)
        case "DONE": return .final(.done(by: Way(wire: answer["by"]?.stringValue)))
        case "DECLINED": return .final(.declined)
        case "EXPIRED": return .final(.expired)
        default: throw HomingAuthError.unexpectedAnswer("a request in a state that this version does not know")
        }
    }

    /// Asks again and again while somebody wants to know.
    func watch() async {
        var failures = 0
        while isWatched {
            let begun = auth.now()
            do throws(HomingAuthError) {
                let answer = try await ask()
                failures = 0
                await take(answer)
                // A server that stops answers at once, and must not be asked without a pause.
                if !state.isFinal, auth.now() < begun.addingTimeInterval(1) { try? await auth.pause(1) }
            } catch {
                guard Self.mayPass(error) else { return conclude(.failed(error)) }
                guard auth.now() < request.end else { return conclude(.expired) }
                failures += 1
                try? await auth.pause(min(30, Double(1 << min(failures - 1, 5))) * Double.random(in: 0.5...1))
            }
        }
    }

    /// Whether anybody wants to know, and it can still change. When nobody does the watch is over: whoever comes next
    /// begins another one.
    private var isWatched: Bool {
        progress.withLock { progress in
            let isWatched =
                !progress.state.isFinal && progress.told == nil && !progress.isCancelled
                && !progress.observers.isEmpty
            if !isWatched { progress.watch = nil }
            return isWatched
        }
    }

    /// Whether another try may go well: no network, a server that restarts, a proxy that speaks for it, a limit.
    private static func mayPass(_ error: HomingAuthError) -> Bool {
        [.networkError, .tooManyRequests, .internalError].contains(error.code)
    }

    private func take(_ answer: Answer) async {
        switch answer {
        // Its digits were typed in another process, which goes on with it.
        case .pending, .code: break
        case .final(let state): hear(state)
        case .tokens(let tokens):
            guard !progress.withLock(\.isCancelled) else { return }
            switch await outcome(of: { () async throws(HomingAuthError) in try await self.auth.adopt(tokens) }) {
            case .success(let result): conclude(.signedIn(result))
            case .failure(let error): conclude(.failed(error))
            }
        }
    }

    // MARK: How it ends

    /// Notes that a call of this app may be finishing it.
    func beginCall() {
        progress.withLock { $0.calls += 1 }
    }

    /// Notes how such a call has ended it; nil when it has not.
    func endCall(_ state: State?) {
        let told = progress.withLock { progress -> State? in
            progress.calls -= 1
            guard progress.calls == 0 else { return nil }
            defer { progress.told = nil }
            return progress.told
        }
        if let state = state ?? told { conclude(state) }
    }

    /// Takes what the server says of it, once no call of this app is under way that may itself be the reason.
    private func hear(_ state: State) {
        let isLate = progress.withLock { progress in
            if progress.calls > 0 { progress.told = state }
            return progress.calls > 0
        }
        if !isLate { conclude(state) }
    }

    /// Tells everybody how it has ended, and forgets it on this device.
    func conclude(_ state: State) {
        let observers = progress.withLock { progress -> [AsyncStream<State>.Continuation] in
            guard !progress.state.isFinal, !progress.isCancelled else { return [] }
            progress.state = state
            progress.watch = nil
            defer { progress.observers = [:] }
            return Array(progress.observers.values)
        }
        auth.forget(self)
        for observer in observers {
            observer.yield(state)
            observer.finish()
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingDatabase
package import HomingProjects
import HomingStore

extension ActionCodes {
    /// What has become of a bound request, as the client that asked hears it.
    package enum Awaited: Sendable {
        case pending
        /// A sign-in, which has happened now.
        case approved(account: Account, isNew: Bool, tokens: Tokens)
        /// The code of another kind, whose digits were typed: it goes on as if it came from the link.
        case goesOn(code: String)
        case done(by: ActionCode.EndedBy?)
        case declined(by: ActionCode.EndedBy?)
        case expired
    }

    /// Waits for what becomes of a request, without a statement while nothing happens; or finishes it by the code that
    /// stands in its mail. Of several that finish it at the same time one does, and the others hear by which way.
    ///
    /// - Parameters:
    ///   - typed: the digits as the person typed them; nil to wait.
    ///   - wait: seconds, at most the longest that there is, which nil stands for.
    ///   - spoken: what the caller speaks. A mail that follows speaks it where the code names no language.
    /// - Throws: ``Refusal/invalidRequestID``, also without the right verifier; ``Refusal/wrongTypedCode(triesLeft:)``;
    ///   ``Refusal/overloaded(retryAfterSeconds:database:)`` where too many wait; what a sign-in by link throws.
    package func awaited(
        _ requestID: String, verifier: String, typed: String? = nil, wait: Double? = nil, in project: Project,
        orElse spoken: String? = nil, on device: Device? = nil
    ) async throws -> Awaited {
        let (sealed, kind) = try request(withID: requestID, in: project)
        guard kind != .signIn || project.settings.allowsEmailLink else { throw Refusal.emailLinksAreOff }
        var wait = min(max(wait ?? WaitingRoom.longest, 0), WaitingRoom.longest)
        if let typed {
            do {
                switch try await redeemTyped(
                    sealed, kind, typed: typed, verifier: verifier, in: project, orElse: spoken, on: device)
                {
                case .signedIn(let account, let isNew, let tokens):
                    return .approved(account: account, isNew: isNew, tokens: tokens)
                case .goesOn(let code): return .goesOn(code: code)
                }
            } catch Refusal.codeInvalid(.used), Refusal.codeInvalid(.declined), Refusal.codeExpired {
                // Something else was faster; the row says what.
                wait = 0
            }
        }
        let end = ContinuousClock.now + .seconds(wait)
        let code = CodeChange(kind, of: .id(sealed.id), in: project.scope)
        return try await waitingRoom.withPlace(for: code) { place in
            while true {
                let (row, now) = try await store.read(in: project) { tx in
                    (try tx.codes.waiting(sealed.id, kind), tx.now)
                }
                // It was there: the id says that it was made here. A void row stays as long as a real one.
                guard let row else { return .expired }
                guard row.isAsked(by: verifier) else { throw Refusal.invalidRequestID }
                switch row.state {
                case .pending: break
                case .approved:
                    do {
                        let (account, isNew, tokens) = try await collect(
                            sealed, verifier: verifier, in: project, orElse: spoken, on: device)
                        return .approved(account: account, isNew: isNew, tokens: tokens)
                    } catch Refusal.codeInvalid(.used) {
                        continue
                    }
                case .done: return .done(by: row.endedBy)
                case .declined: return .declined(by: row.endedBy)
                case .expired: return .expired
                }
                let life = Duration.milliseconds(row.expiresAt.milliseconds - now.milliseconds)
                let rest = min(ContinuousClock.now.duration(to: end), life)
                guard rest > .zero else { return .pending }
                guard let place else { throw Refusal.overloaded(retryAfterSeconds: 5) }
                place.listen(to: others(of: row, in: project))
                switch await place.wait(for: rest) {
                case .rung: continue
                case .timeIsOver where ContinuousClock.now < end: continue
                case .timeIsOver, .displaced, .closing: return .pending
                }
            }
        }
    }

    /// What else may end a request: a newer one for its address, and what becomes of its account.
    func others(of row: WaitingRequest, in project: Project) -> [CodeChange] {
        let whose: [CodeChange.Whose?] = [row.digest.map { .digest($0) }, row.account.map { .account($0) }]
        return whose.compactMap { $0 }.map { CodeChange(row.kind, of: $0, in: project.scope) }
    }

    // MARK: Other nodes

    /// How long before its commit a verb has looked at the clock, at the most: it waits five seconds for a connection, and
    /// then takes ten for a statement. Clocks of nodes differ as well. What a look misses all the same, the client's next
    /// request finds, whose first statement reads the row.
    private static let longestVerb: Int64 = 30

    /// Wakes whoever waits here for a code that another node has ended since the last look. One statement for all of
    /// them; none where nobody waits.
    package func lookForEnded() async throws {
        let now = store.system.now()
        guard let since = waitingRoom.unheard(at: now)?.adding(seconds: -Self.longestVerb) else { return }
        let ended = try await store.read { tx in
            try tx.run("SELECT project, kind, id FROM codes WHERE challenge IS NOT NULL AND ended_at > \(since)")
        }
        for row in ended {
            var row = row
            let project: Scope = try row.id()
            guard let kind = ActionCodeKind(rawValue: try row.int()) else { continue }
            waitingRoom.ring(CodeChange(kind, of: .id(try row.bytes()), in: project))
        }
        waitingRoom.heard(at: now)
    }
}

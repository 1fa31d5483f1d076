// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCurl
internal import Synchronization

/// Keeps one access token and renews it before it ends. However many mails want one, one request is under way.
package final class OAuthTokens: Sendable {
    /// Sends a form to the grant's token URL.
    package typealias Fetch = @Sendable (OAuthGrant, _ form: String) async -> Result<OAuthAnswer, OAuthFault>

    package let grant: OAuthGrant
    private let fetch: Fetch
    private let now: @Sendable () -> Int64
    private let state = Mutex(State())

    private struct Kept {
        let text: String
        let boughtAt: Int64
        let life: Int64

        /// A quarter of its life is left for an endpoint that does not answer.
        func isFresh(at now: Int64) -> Bool { (boughtAt..<boughtAt + max(1, life * 3 / 4)).contains(now) }
        func isAlive(at now: Int64) -> Bool { (boughtAt..<boughtAt + life).contains(now) }
    }

    private struct State {
        var kept: Kept?
        /// In place of the operator's, since the endpoint gave it.
        var refreshToken: String?
        /// When a relay refused a token before its end, the moment at which another was bought for it.
        var replacedAt: Int64?
        var isReplacing = false
        var fault: (OAuthFault, at: Int64)?
        var isBuying = false
        var waiters: [Int: CheckedContinuation<Result<String, OAuthFault>, Never>] = [:]
        var waiterCount = 0
    }

    /// A relay that refuses the new token as well is not at fault for lack of a third one.
    private static let replacementSeconds: Int64 = 20
    /// Mails that come after a fault share it, rather than asking one after another.
    private static let faultSeconds: Int64 = 5

    /// - Parameters:
    ///   - fetch: by libcurl, unless a test says otherwise.
    ///   - now: seconds since 1970.
    package init(
        _ grant: OAuthGrant, fetch: Fetch? = nil,
        now: @escaping @Sendable () -> Int64 = { Int64(Date.now.timeIntervalSince1970) }
    ) {
        self.grant = grant
        self.fetch = fetch ?? Self.ask
        self.now = now
    }

    /// The token, bought where there is none or it is about to end. When the calling task is cancelled the wait ends.
    package func token() async throws(OAuthFault) -> String {
        let id = state.withLock { state in
            state.waiterCount += 1
            return state.waiterCount
        }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(id, continuation)
                if Task.isCancelled { giveUp(id) }
            }
        } onCancel: {
            giveUp(id)
        }
        return try result.get()
    }

    /// Drops a token that a relay has refused, so that another is bought. One that was bought a moment ago in place of
    /// another stays: ``token()`` gives the same again, and so whoever asked knows that a new one is no help.
    package func refused(_ token: String) {
        let now = now()
        state.withLock { state in
            guard let kept = state.kept, kept.text.utf8.elementsEqual(token.utf8) else { return }
            if let replacedAt = state.replacedAt, (replacedAt..<replacedAt + Self.replacementSeconds).contains(now) {
                return
            }
            state.kept = nil
            state.isReplacing = true
        }
    }

    private func wait(_ id: Int, _ continuation: CheckedContinuation<Result<String, OAuthFault>, Never>) {
        let now = now()
        enum Turn { case end(Result<String, OAuthFault>), wait, buy }
        let turn = state.withLock { state -> Turn in
            if let kept = state.kept, kept.isFresh(at: now) { return .end(.success(kept.text)) }
            if let (fault, at) = state.fault, (at..<at + Self.faultSeconds).contains(now) {
                return .end(Self.result(of: fault, state.kept, at: now))
            }
            state.waiters[id] = continuation
            defer { state.isBuying = true }
            return state.isBuying ? .wait : .buy
        }
        switch turn {
        case .end(let result): continuation.resume(returning: result)
        case .wait: break
        case .buy: Task { await buy() }
        }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
        waiter?.resume(returning: .failure(.temporary("not waited for: this server is stopping")))
    }

    private func buy() async {
        let refreshToken = state.withLock { $0.refreshToken }
        let bought = await bought(with: refreshToken)
        let now = now()
        let (waiters, result) = state.withLock { state in
            let result: Result<String, OAuthFault>
            switch bought {
            case .success(let token):
                state.kept = Kept(text: token.text, boughtAt: now, life: token.life)
                state.refreshToken = token.refreshToken ?? state.refreshToken
                state.fault = nil
                state.replacedAt = state.isReplacing ? now : state.replacedAt
                state.isReplacing = false
                result = .success(token.text)
            case .failure(let fault):
                state.fault = (fault, now)
                // The operator's may be good where the one that took its place is not, and the other way round.
                if !fault.isTemporary { state.refreshToken = nil }
                result = Self.result(of: fault, state.kept, at: now)
            }
            defer { state.waiters = [:] }
            state.isBuying = false
            return (Array(state.waiters.values), result)
        }
        for waiter in waiters { waiter.resume(returning: result) }
    }

    /// While the endpoint is away, a token that is not over yet is good.
    private static func result(of fault: OAuthFault, _ kept: Kept?, at now: Int64) -> Result<String, OAuthFault> {
        guard fault.isTemporary, let kept, kept.isAlive(at: now) else { return .failure(fault) }
        return .success(kept.text)
    }

    private func bought(with refreshToken: String?) async -> Result<OAuthAnswer.Token, OAuthFault> {
        guard let form = try? grant.form(refreshToken: refreshToken, at: now()) else {
            return .failure(OAuthFault(isTemporary: false, sentence: "the service account's key does not sign"))
        }
        do throws(OAuthFault) {
            return .success(try await fetch(grant, form).get().token())
        } catch {
            return .failure(error)
        }
    }

    /// What is read of an answer at most.
    private static let answerLimit = 64 * 1_024

    private static let ask: Fetch = { grant, form in
        await OwnThread.run {
            let asked = CurlTransfer.ask(
                grant.tokenURL, posting: form, as: "application/x-www-form-urlencoded", wantsBody: true, by: "homing",
                trusting: grant.authorityFile, seconds: 10, bodyLimit: answerLimit, isPublicOnly: grant.isPublicOnly)
            return switch asked {
            case .success(let transfer): .success(OAuthAnswer(status: transfer.status, body: transfer.body))
            case .failure(let failure): .failure(.temporary("the token endpoint does not answer: \(failure.text)"))
            }
        }
    }
}

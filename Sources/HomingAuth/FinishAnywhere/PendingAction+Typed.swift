// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingClient
internal import HomingWire

extension PendingAction {
    /// Finishes it with the eight digits of the mail, for people who read it on another screen.
    ///
    /// - Parameter code: as it was typed or pasted: `1234 5678`, with other separators or none, in the digits of any
    ///   script.
    /// - Throws: ``AuthErrorCode/invalidActionCode`` for a wrong one, with ``AuthErrorCode/triesLeft``; without them,
    ///   and without a request, where there are not eight digits.
    @discardableResult
    public func finish(typed code: String) async throws(HomingAuthError) -> Finish {
        guard let digits = Self.digits(of: code) else {
            throw HomingAuthError(.invalidActionCode, "The code of the mail has eight digits. Ask for it again.")
        }
        // Once begun it goes on when its caller is cancelled: tokens are given once.
        let task = Task { () async -> Result<Finish, HomingAuthError> in
            self.beginCall()
            let result = await outcome { () async throws(HomingAuthError) in try await self.redeem(digits) }
            switch result {
            case .success(.signedIn(let result)): self.endCall(.signedIn(result))
            case .success(.done): self.endCall(.done(by: .typed))
            case .success(.code), .failure: self.endCall(nil)
            }
            return result
        }
        return try await task.value.get()
    }

    /// ``finish(typed:)`` with a completion handler.
    public func finish(typed code: String, completion: ((Finish?, (any Error)?) -> Void)? = nil) {
        deliver(to: completion) { () async throws(HomingAuthError) in try await self.finish(typed: code) }
    }

    /// ``result()`` with a completion handler: who has signed in, and neither that nor an error for an action that is
    /// no sign-in and is done.
    public func result(completion: @escaping (AuthDataResult?, (any Error)?) -> Void) {
        deliver(to: { (result: AuthDataResult??, error) in completion(result ?? nil, error) }) {
            () async throws(HomingAuthError) in try await self.result()
        }
    }

    private func redeem(_ digits: String) async throws(HomingAuthError) -> Finish {
        switch try await ask(typed: digits) {
        case .tokens(let tokens): return .signedIn(try await auth.adopt(tokens))
        case .code(let code):
            guard operation != .passwordReset else { return .code(code) }
            _ = try await auth.apply(code, Auth.member(request.tenant), by: self)
            return .done
        case .final(let state):
            // Of a sign-in that was approved at the same time the watch may have the tokens.
            if case .signedIn(let result) = self.state { return .signedIn(result) }
            throw error(of: state)
        case .pending: throw HomingAuthError.unexpectedAnswer("it says nothing of the typed code")
        }
    }

    /// The eight digits in a text; nil where there are more or fewer.
    static func digits(of text: String) -> String? {
        let digits = text.unicodeScalars.map(\.properties).filter { $0.numericType == .decimal }
        let code = digits.prefix(9).map { String(Int($0.numericValue ?? 0)) }.joined()
        return code.utf8.count == 8 ? code : nil
    }
}

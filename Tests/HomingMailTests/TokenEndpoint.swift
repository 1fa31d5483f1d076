// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingMail
import HomingWire
import Synchronization

/// Stands in for a token endpoint, and counts what it is asked. It gives `token-1`, `token-2` and so on, each for an
/// hour, unless the test says what it answers.
final class TokenEndpoint: Sendable {
    private struct State {
        var forms: [QueryString] = []
        var answers: [Result<OAuthAnswer, OAuthFault>] = []
        var seconds: Int64 = 1_800_000_000
    }

    private let state = Mutex(State())

    var forms: [QueryString] { state.withLock { $0.forms } }
    var now: Int64 { state.withLock { $0.seconds } }

    /// Sets the answers to the next requests, in order.
    func answer(_ answers: Result<OAuthAnswer, OAuthFault>...) { state.withLock { $0.answers += answers } }

    func wait(seconds: Int64) { state.withLock { $0.seconds += seconds } }

    /// Asks this endpoint with a clock of its own.
    func tokens(for grant: OAuthGrant) -> OAuthTokens { OAuthTokens(grant, fetch: fetch, now: { self.now }) }

    var fetch: OAuthTokens.Fetch {
        { _, form in
            // Long enough for others to ask meanwhile.
            try? await Task.sleep(for: .milliseconds(20))
            return self.state.withLock { state in
                state.forms.append(QueryString(readableIn: form))
                guard state.answers.isEmpty else { return state.answers.removeFirst() }
                return .json(200, #"{"access_token":"token-\#(state.forms.count)","expires_in":3600}"#)
            }
        }
    }
}

extension Result<OAuthAnswer, OAuthFault> {
    static func json(_ status: Int, _ text: String) -> Self {
        .success(OAuthAnswer(status: status, body: Array(text.utf8)))
    }
}

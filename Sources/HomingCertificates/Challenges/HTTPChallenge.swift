// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCurl

extension ChallengeKind {
    /// Over HTTP on port 80 (`http-01`, RFC 8555 section 8.3).
    static let http = ChallengeKind(
        type: "http-01", place: "port 80", needsPlainListener: true
    ) { name, token, answer in
        switch await WebFetcher().fetch("http://\(name)\(httpPath)/\(token)") {
        case .unreachable(let reason): return reason
        case .answered(let response):
            guard response.status == 200, response.body.elementsEqual(answer.utf8) else {
                return "another server answers, with status \(response.status)"
            }
            return nil
        }
    }

    /// The path of answers, without the token.
    package static let httpPath = "/.well-known/acme-challenge"
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
package import HomingStore

extension Homing {
    /// Counts a refused request, and tells the security log where it may be an attack.
    ///
    /// - Parameter path: the path of the request, without its query, which may have a code.
    package func refused(_ refusal: Refusal, at path: String) {
        refusals.count(refusal)
        guard let kind = SecurityEvent.Kind(refusal) else { return }
        system.report(SecurityEvent(kind, subject: path))
    }
}

extension SecurityEvent.Kind {
    /// The event that a refused request is; nil for what is everyday.
    init?(_ refusal: Refusal) {
        switch refusal {
        case .apiKeyInvalid: self = .apiKeyRefused
        case .invalidIDToken, .invalidRefreshToken, .invalidCustomToken, .credentialMismatch: self = .tokenRefused
        case .codeInvalid(.malformed), .invalidRequestID: self = .codeRefused
        case .tooManyRequests: self = .requestsLimited
        case .adminKeyInvalid, .adminKeyEnded, .ownerRefused: self = .adminKeyRefused
        case .outsideProjects: self = .projectRefused
        default: return nil
        }
    }
}

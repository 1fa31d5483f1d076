// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore

extension Refusal {
    package static let adminKeyInvalid = unauthenticated(
        Code("ADMIN_KEY_INVALID", says: nil), "Expected an admin key.")

    /// An admin key after its end; the sentence names it.
    package static func adminKeyEnded(_ sentence: String) -> Refusal { unauthenticated(.adminKeyEnded, sentence) }

    /// The token `owner` where it is not accepted; the sentence says why.
    package static func ownerRefused(_ sentence: String) -> Refusal { unauthenticated(.ownerRefused, sentence) }

    /// An admin key that is not for the project; the sentence says for which ones it is.
    package static func outsideProjects(_ sentence: String) -> Refusal {
        Refusal(.outsideProjects, sentence, status: .permissionDenied)
    }

    private static func unauthenticated(_ code: Code, _ sentence: String) -> Refusal {
        Refusal(
            code, "Request had invalid authentication credentials. \(sentence)", status: .unauthenticated)
    }
}

extension Refusal.Code {
    package static let adminKeyEnded = Self("ADMIN_KEY_ENDED", says: nil)
    package static let ownerRefused = Self("OWNER_REFUSED", says: nil)
    package static let outsideProjects = Self("OUTSIDE_PROJECTS", says: "INSUFFICIENT_PERMISSION")
}

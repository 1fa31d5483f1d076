// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Why a certificate authority has handed out no certificate, in one sentence with the remedy.
package enum ACMEFault: Error, Equatable, CustomStringConvertible {
    /// It gave no answer, or none to be had in time.
    case unreachable(String)
    /// It has refused, in its own words.
    case refused(Problem)
    /// Its answer is not one of RFC 8555.
    case unexpected(String)
    /// It takes none of the challenges that this server can answer.
    case noChallenge(offered: [String])

    /// An error document (RFC 7807) with one of the types of RFC 8555 section 6.7.
    package struct Problem: Equatable, Sendable {
        /// Without its common beginning: `rateLimited`.
        package var type: String
        /// The authority's words, fit for one line.
        package var detail: String
        /// Seconds.
        package var retryAfter: Int64?

        package init(type: String, detail: String, retryAfter: Int64? = nil) {
            self.type = type
            self.detail = detail
            self.retryAfter = retryAfter
        }

        init?(_ json: JSON?, retryAfter: Int64? = nil) {
            guard let members = json?.objectValue, let type = members["type"]?.stringValue else { return nil }
            let prefix = "urn:ietf:params:acme:error:"
            // The first of several faults tells more than their heading.
            let first = members["subproblems"]?.arrayValue?.first?.objectValue?["detail"]?.stringValue
            self.type = Printable.ascii(
                type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type, atMost: 60)
            detail = Printable.ascii(first ?? members["detail"]?.stringValue ?? "", atMost: 300)
            self.retryAfter = retryAfter
        }
    }

    /// Whether the authority has counted it.
    package var isRefusal: Bool {
        switch self {
        case .refused(let problem): problem.type != "serverInternal" && problem.type != "badNonce"
        case .noChallenge: true
        case .unreachable, .unexpected: false
        }
    }

    package var description: String {
        switch self {
        case .unreachable(let reason):
            "the certificate authority is not reached (\(reason)): see that this machine may connect to it"
        case .unexpected(let what): "the certificate authority gave an answer that is none of ACME's: \(what)"
        case .noChallenge(let offered):
            "the certificate authority takes only \(offered.isEmpty ? "nothing" : offered.joined(separator: ", ")): "
                + "set redirect.listen (HOMING_REDIRECT_LISTEN) for http-01"
        case .refused(let problem): "the certificate authority refuses (\(problem.words)): \(problem.advice)"
        }
    }
}

extension ACMEFault.Problem {
    fileprivate var words: String { detail.isEmpty ? type : "\(type): \(detail)" }

    fileprivate var advice: String {
        switch type {
        case "dns": "see that the name has an A or AAAA record, and that no other record of it is broken"
        case "caa": "the name's CAA record lets other authorities in only: add this one to it"
        case "connection", "tls", "unauthorized", "incorrectResponse":
            "see that the name leads to this server, and that \(ChallengeKind.places) is open to everybody"
        case "rateLimited": "wait; nothing is ordered until then"
        case "rejectedIdentifier", "unsupportedIdentifier":
            "it makes no certificates for this name: use a name of your own"
        case "externalAccountRequired":
            "it wants accounts that it has made itself, which is not offered here: choose another tls.acme.directory"
        case "userActionRequired": "its terms have changed: read them, and set tls.acme.agree again"
        case "invalidContact", "unsupportedContact": "give tls.acme.email an address that takes mail"
        case "accountDoesNotExist": "a new account is made at the next try"
        case "serverInternal": "its own fault; it is tried again"
        default: "look at what it says"
        }
    }
}

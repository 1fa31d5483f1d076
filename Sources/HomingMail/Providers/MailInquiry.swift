// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import HomingWire

/// What a provider tells of a secret, a sender or an account without being given a mail.
package enum ProviderFact: Sendable, Equatable {
    /// The provider knows the secret.
    case takesSecret
    /// The secret is none that may send; the reason.
    case refusesSecret(String)
    /// The secret may not ask this, which tells nothing of its sending; what was said.
    case mayNotAsk(String)
    /// Mails may come from the domain.
    case senderVerified(String)
    /// No mail from there is taken; why.
    case senderNotVerified(String)
    /// The domain is none of the account's, which may know the address alone; what was seen.
    case senderUnknown(String)
    /// Mails do not reach everybody; why.
    case sandbox(String)
    /// No mail leaves; why.
    case paused(String)
    /// Links or openings are counted, whatever a mail asks for; what and where.
    case tracks(String)
    /// No answer, or one to come back later; why.
    case silent(String, isTemporary: Bool)
    /// Not an answer of the provider's; what came. `isElsewhere` where somebody else answered: mails end there, too.
    case unreadable(String, isElsewhere: Bool)
}

/// Questions to a provider that move no mail. Where a secret buys access tokens, buying one is the first of them.
package struct MailInquiry: Sendable {
    /// In the order in which they are asked; the first answer that is none ends it.
    package var questions: @Sendable (ProviderAsker) -> [ProviderQuestion] = { _ in [] }
    /// What the claims of an access token tell; of one that is no JWT nobody but the provider can read any.
    var claims: @Sendable (JSON.Object) -> [ProviderFact] = { _ in [] }

    package func facts(ofToken token: String) -> [ProviderFact] {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
            let object = (try? JSON.parse(bytes))?.objectValue
        else { return [] }
        return claims(object)
    }
}

/// Who asks: what the URL and its secret say, and the domain of the sender.
package struct ProviderAsker: Sendable {
    let url: MailURL
    /// The secret, or the access token that was bought with it.
    let secret: String
    /// In lower case; nil where it is not known, and then nothing is said of it.
    let domain: String?

    package init(url: MailURL, secret: String, domain: String?) {
        self.url = url
        self.secret = secret
        self.domain = domain.map { ASCII.lowercased($0) }
    }

    var bearer: (name: String, value: String) { ("Authorization", "Bearer \(secret)") }

    /// Whether a domain is the sender's.
    func isOfSender(_ name: String?) -> Bool {
        guard let domain, let name else { return false }
        return ASCII.areEqual(ASCII.lowercased(name), domain)
    }

    /// An entry of a provider's list of domains.
    struct Entry {
        let name: String?
        let isVerified: Bool
        /// Completes "it is …".
        let state: String?
    }

    /// What a list of domains says of the sender's.
    ///
    /// - Parameters:
    ///   - isWhole: whether there are no more than these.
    ///   - knowsAddresses: whether the account may have verified an address without its domain.
    func facts(of entries: [Entry], isWhole: Bool, knowsAddresses: Bool) -> [ProviderFact] {
        guard let domain else { return [] }
        let named = entries.filter { isOfSender($0.name) }
        if named.contains(where: \.isVerified) { return [.senderVerified(domain)] }
        if let entry = named.first {
            let state = entry.state.map { "it is \(Printable.ascii($0, atMost: 40))" } ?? "it is not verified"
            return [.senderNotVerified("\(domain) is among the account's domains, but \(state)")]
        }
        // Whether a domain above it is enough is the provider's to say.
        let isCovered = entries.contains { entry in
            entry.isVerified && (entry.name.map { domain.hasSuffix(".\(ASCII.lowercased($0))") } ?? false)
        }
        guard isWhole, !isCovered else { return [] }
        let sentence = "\(domain) is none of the account's domains"
        return [knowsAddresses ? .senderUnknown(sentence) : .senderNotVerified(sentence)]
    }
}

/// One GET, and the meaning of its answers.
package struct ProviderQuestion: Sendable {
    /// An answer's meaning where its status alone does not tell.
    struct Rule: Sendable {
        enum Meaning: Sendable {
            /// The provider knows the secret, which may send and not ask this.
            case known
            case refused
            case mayNotAsk
            case tells([ProviderFact])
        }

        let statuses: ClosedRange<Int>
        /// As those of an ``AnswerRule``.
        var words: [String] = []
        let meaning: Meaning
    }

    package let request: ProviderRequest
    /// The first that fits counts.
    var rules: [Rule] = []
    /// What a 2xx tells; nil where it is none of the provider's.
    let reading: @Sendable (JSON) -> [ProviderFact]?

    package func facts(
        of answer: ProviderAnswer, isCut: Bool = false, from provider: MailProvider, secret: String = ""
    ) -> [ProviderFact] {
        let verdict = ProviderVerdict(
            provider: provider, answer: answer, isCut: isCut, secret: secret, now: Moment(milliseconds: 0))
        if let rule = rules.first(where: { answer.says($0.words, with: $0.statuses) }) {
            switch rule.meaning {
            case .known: return [.takesSecret]
            case .refused: return [.refusesSecret(verdict.reply)]
            case .mayNotAsk: return [.mayNotAsk(verdict.reply)]
            case .tells(let facts): return facts
            }
        }
        switch answer.status {
        case 200...299 where isCut: return [.unreadable("\(verdict.head), and more than is read", isElsewhere: false)]
        case 200...299:
            guard let facts = answer.json.flatMap(reading) else {
                return [
                    .unreadable(
                        "\(verdict.head)\(verdict.isPage ? " with a web page" : ", but not what was asked for")",
                        isElsewhere: verdict.isPage)
                ]
            }
            return [.takesSecret] + facts
        case 300...399: return [.unreadable("\(verdict.head), which leads elsewhere", isElsewhere: true)]
        case _ where verdict.isPage && answer.status < 500:
            return [.unreadable("\(verdict.head) with a web page", isElsewhere: true)]
        case 401: return [.refusesSecret(verdict.reply)]
        case 403: return [.mayNotAsk(verdict.reply)]
        case 408, 425, 429, 500...: return [.silent(verdict.reply, isTemporary: true)]
        default: return [.unreadable(verdict.reply, isElsewhere: false)]
        }
    }
}

extension ProviderAnswer {
    /// Whether its status is one of these and its body has one of the texts, byte for byte, where there are any.
    func says(_ words: [String], with statuses: ClosedRange<Int>) -> Bool {
        guard statuses.contains(status) else { return false }
        guard !words.isEmpty else { return true }
        let text = String(decoding: body, as: UTF8.self)
        return words.contains { ASCII.contains(text, $0) }
    }
}

extension ProviderRequest {
    /// A GET.
    init(
        asking path: String, headers: [(name: String, value: String)] = [],
        basic: (user: String, password: String)? = nil
    ) {
        self.init(path: path, headers: headers + [("Accept", "application/json")], body: [], basic: basic)
        isQuestion = true
    }
}

extension JSON {
    /// The value that is reached by these members; nil where there is none.
    subscript(path: String...) -> JSON? {
        path.reduce(self as JSON?) { value, name in value?.objectValue?[name] }
    }
}

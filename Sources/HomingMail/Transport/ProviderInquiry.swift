// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingCurl
import HomingStore

/// Asks a provider, without a mail, whether it would take one: over the same connection, with the same certificates and
/// the same limits as a delivery.
package struct ProviderInquiry: Sendable {
    private let url: MailURL
    private let provider: MailProvider
    private let domain: String?
    private let timeout: Duration

    /// - Parameters:
    ///   - url: with its secret.
    ///   - domain: the sender's; nil where nothing is to be said of it.
    ///   - timeout: of one question.
    package init(_ url: MailURL, _ provider: MailProvider, domain: String?, timeout: Duration = .seconds(10)) {
        self.url = url
        self.provider = provider
        self.domain = domain
        self.timeout = timeout
    }

    /// Empty for a provider that cannot be asked.
    package func facts() async -> [ProviderFact] {
        guard let inquiry = provider.inquiry, var secret = url.secret else { return [] }
        var facts: [ProviderFact] = []
        if var grant = provider.tokens(url) {
            grant.isPublicOnly = url.isPublicOnly
            do throws(OAuthFault) {
                secret = try await OAuthTokens(grant).token()
            } catch {
                let sentence = "no access token: \(error.sentence)"
                return [error.isTemporary ? .silent(sentence, isTemporary: true) : .refusesSecret(sentence)]
            }
            facts = [.takesSecret] + inquiry.facts(ofToken: secret)
        }
        let questions = inquiry.questions(ProviderAsker(url: url, secret: secret, domain: domain))
        guard !questions.isEmpty else { return Self.summed(facts) }
        let (url, provider, timeout, given) = (url, provider, timeout, secret)
        let told = await OwnThread.run {
            Self.ask(questions, of: ProviderDoor(url: url, provider: provider, now: Self.now), given, timeout)
        }
        return Self.summed(facts + told)
    }

    /// On a thread of its own.
    private static func ask(
        _ questions: [ProviderQuestion], of door: ProviderDoor, _ secret: String, _ timeout: Duration
    ) -> [ProviderFact] {
        guard let connection = ProviderConnection(to: door) else {
            return [.silent("libcurl does not start", isTemporary: false)]
        }
        var facts: [ProviderFact] = []
        for question in questions {
            switch connection.ask(question.request, secret, by: .now + timeout) {
            case .failure(let silence): return facts + [.silent(silence.reason, isTemporary: false)]
            case .success(let reply):
                facts += question.facts(
                    of: reply.answer, isCut: reply.isCut, from: door.provider, secret: secret)
            }
            if facts.contains(where: \.endsInquiry) { break }
        }
        return facts
    }

    /// Each once; one answer that knows the sender is enough.
    static func summed(_ facts: [ProviderFact]) -> [ProviderFact] {
        let isVerified = facts.contains { if case .senderVerified = $0 { true } else { false } }
        var summed: [ProviderFact] = []
        for fact in facts where !summed.contains(fact) {
            switch fact {
            case .senderNotVerified where isVerified, .senderUnknown where isVerified: continue
            default: summed.append(fact)
            }
        }
        return summed
    }

    private static let now: @Sendable () -> Moment = {
        Moment(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
    }
}

extension ProviderFact {
    /// Whether another question would get the same.
    fileprivate var endsInquiry: Bool {
        switch self {
        case .refusesSecret, .silent, .unreadable: true
        default: false
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingAuth

extension Words {
    /// What a person is told of an error. What the error says of itself is for the app's developers.
    package func problem(_ error: AuthErrorCode) -> String {
        switch error.code {
        case .weakPassword, .passwordDoesNotMeetRequirements: password(error.failureReason ?? "")
        case let code: self(Self.problems[code] ?? .fault)
        }
    }

    private static let problems: [AuthErrorCode: Sentence] = [
        .invalidCredential: .wrongPassword, .wrongPassword: .wrongPassword, .userNotFound: .wrongPassword,
        .userMismatch: .wrongPassword,
        .emailAlreadyInUse: .addressTaken, .credentialAlreadyInUse: .addressTaken,
        .invalidEmail: .noAddress, .missingEmail: .noAddress, .invalidRecipientEmail: .noAddress,
        .userDisabled: .accountDisabled,
        .networkError: .offline,
        .tooManyRequests: .tooMany, .quotaExceeded: .tooMany,
        .expiredActionCode: .deadLink, .invalidActionCode: .deadLink, .missingCodeVerifier: .elsewhere,
        .actionDeclined: .declined,
        .userTokenExpired: .signInAgain, .invalidUserToken: .signInAgain, .nullUser: .signInAgain,
        .requiresRecentLogin: .signInAgain,
    ]

    /// How often the code of the mail may be typed again.
    func wrongCode(triesLeft: Int) -> String {
        triesLeft > 0 ? self(.codeWrong, count: triesLeft) : self(.codeDead)
    }

    // MARK: Passwords

    /// The server says in fixed words what a password lacks: those of Firebase, which clients read.
    private func password(_ reason: String) -> String {
        if let weakness = Self.weaknesses.first(where: { reason.utf8.starts(with: $0.words.utf8) }) {
            return self(weakness.sentence)
        }
        let rules = reason.split(separator: "[").last?.split(separator: "]").first?.split(separator: ",") ?? []
        let known = rules.compactMap { rule(String($0.drop { $0 == " " })) }
        return known.isEmpty ? self(.rulesProblem) : "\(self(.rules)) \(known.joined(separator: ", "))"
    }

    private static let weaknesses: [(words: String, sentence: Sentence)] = [
        ("Password should be at least", .tooShort), ("Password should be at most", .tooLong),
        ("Password should not be one of", .common), ("Password should not be the email", .isAddress),
        ("Password should not be the name", .isAppName),
    ]

    private static let rules: [(words: String, sentence: Sentence)] = [
        ("Password must contain at least", .minimumLength), ("Password may contain at most", .maximumLength),
        ("Password must contain a lower", .lowercase), ("Password must contain an upper", .uppercase),
        ("Password must contain a numeric", .digit), ("Password must contain a non-alphanumeric", .symbol),
        ("Password must be hard", .hardToGuess),
    ]

    private func rule(_ words: String) -> String? {
        guard let rule = Self.rules.first(where: { words.utf8.starts(with: $0.words.utf8) }) else { return nil }
        let count = Int(words.filter(\.isNumber))
        return self(rule.sentence, count: count ?? 0)
    }
}

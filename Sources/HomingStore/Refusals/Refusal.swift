// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// What Homing refuses to do, and why.
///
/// A file of its subject makes it (`Accounts+Refusals.swift` and so on). The wire (`WireError`), the console
/// (`consoleSentence`) and the shell (`RefusalLine`) each print it; the pages for people have sentences of their own.
/// The caller can mend a refusal. What only we can mend is a fault, which propagates untouched.
package struct Refusal: Error {
    package let code: Code
    /// What kind of answer it is; nil for Firebase's own refusals, which carry none.
    package let status: Status?
    /// What is wrong, for people; empty where the code says it all.
    package let sentence: String
    /// The member of the request that is wrong, as a path with dots.
    package let field: String?
    package let remedy: Remedy?
    /// The seconds after which the same may be tried again.
    package let retryAfter: Int?
    /// What there is to know beyond the sentence, for those with words of their own, such as a ``PasswordWeakness``.
    package let cause: (any Equatable & Sendable)?

    package init(
        _ code: Code, _ sentence: String = "", status: Status? = nil, field: String? = nil, remedy: Remedy? = nil,
        retryAfter: Int? = nil, cause: (any Equatable & Sendable)? = nil
    ) {
        self.code = code
        self.status = status
        self.sentence = sentence
        self.field = field
        self.remedy = remedy
        self.retryAfter = retryAfter
        self.cause = cause
    }

    /// Which refusal it is, whatever its sentence.
    package struct Code: Sendable, Equatable, ExpressibleByStringLiteral {
        /// No other refusal has it.
        package let name: String
        /// What stands before the sentence on the wire, such as `EMAIL_EXISTS`; nil where Google says the sentence
        /// alone.
        package let word: String?

        package init(stringLiteral name: String) { self.init(name, says: name) }

        /// - Parameter word: what it says on the wire in the place of its name, maybe with others.
        package init(_ name: String, says word: String?) {
            self.name = name
            self.word = word
        }

        package static func == (one: Code, other: Code) -> Bool { one.name.utf8.elementsEqual(other.name.utf8) }
    }

    /// Google's canonical codes, as far as refusals have them.
    package enum Status: String, Sendable {
        case invalidArgument = "INVALID_ARGUMENT"
        case permissionDenied = "PERMISSION_DENIED"
        case unauthenticated = "UNAUTHENTICATED"
        case alreadyExists = "ALREADY_EXISTS"
        case aborted = "ABORTED"
        case notFound = "NOT_FOUND"
        case resourceExhausted = "RESOURCE_EXHAUSTED"
        case unavailable = "UNAVAILABLE"
    }
}

extension Refusal {
    /// The word before the sentence, such as `EMAIL_EXISTS`; the status's name where there is none.
    package var wireCode: String { code.word ?? (status ?? .invalidArgument).rawValue }

    /// The text as Firebase's clients know it: a sentence follows its code behind ` : `, with a space on either side.
    package var wireMessage: String {
        guard let word = code.word else { return sentence }
        return sentence.isEmpty ? word : "\(word) : \(sentence)"
    }

    /// The sentence, or the code where it says it all.
    package var explanation: String { sentence.isEmpty ? wireMessage : sentence }
}

extension Refusal: CustomStringConvertible {
    /// For logs.
    package var description: String { cause.map { "\(wireMessage) (\($0))" } ?? wireMessage }
}

extension Refusal: Equatable {
    package static func == (one: Refusal, other: Refusal) -> Bool {
        func isCause<Cause: Equatable>(_ cause: Cause) -> Bool { cause == other.cause as? Cause }
        return one.code == other.code && one.sentence.utf8.elementsEqual(other.sentence.utf8)
            && one.field == other.field && one.remedy == other.remedy && one.retryAfter == other.retryAfter
            && (one.cause.map { isCause($0) } ?? (other.cause == nil))
    }

    /// Whether it is the refusal of that code, whatever its sentence: `case .tooManyAttempts`.
    package static func ~= (code: Code, refusal: Refusal) -> Bool { code == refusal.code }

    /// `catch Refusal.emailExists`.
    package static func ~= (refusal: Refusal, error: any Error) -> Bool { (error as? Refusal) == refusal }
}

extension Refusal.Code {
    /// `catch Refusal.Code.notFound`.
    package static func ~= (code: Refusal.Code, error: any Error) -> Bool { (error as? Refusal)?.code == code }
}

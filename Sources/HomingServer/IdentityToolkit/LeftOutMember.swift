// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingStore
package import HomingWire

/// A member of Google's documents of projects and tenants for which there is nothing here. One that is off changes
/// nothing, and is taken; one that asks for something is refused, so that nobody believes to have it.
package struct LeftOutMember: Sendable {
    package let path: [String]
    package let sentence: String

    private init(_ path: String, _ sentence: String) {
        self.path = path.split(separator: ".").map { String($0) }
        self.sentence = sentence
    }

    private init(_ path: String, _ left: IdentityToolkit.NotOffered) {
        self.init(path, left.rawValue)
    }

    package static let all = [
        // Of projects, and of tenants.
        LeftOutMember("mfa", .secondFactors), LeftOutMember("mfaConfig", .secondFactors),
        LeftOutMember("signIn.phoneNumber", .phone), LeftOutMember("testPhoneNumbers", .phone),
        LeftOutMember("smsRegionConfig", .phone),
        LeftOutMember("signIn.allowDuplicateEmails", "An address belongs to one account."),
        LeftOutMember("recaptchaConfig", "reCAPTCHA is not offered: limits hold robots back."),
        LeftOutMember("blockingFunctions", "Blocking functions are not offered."),
        LeftOutMember("monitoring", "What is logged is a setting of the server."),
    ]

    /// The members as operations declare them, with their paths.
    static var declared: [(path: [String], member: Member)] {
        all.map { ($0.path, .anything($0.path[$0.path.count - 1], "Taken where it is off. \($0.sentence)")) }
    }

    /// Whether a path of a mask is one of these, below one, or above one.
    static func isAbout(_ path: [String]) -> Bool {
        all.contains { $0.path.starts(with: path) || path.starts(with: $0.path) }
    }

    /// - Parameter paths: those of the mask; empty for all that the body has.
    /// - Throws: ``Refusal/operationNotAllowed(_:)`` where a body asks for something that is left out.
    static func check(_ body: Fields, _ paths: [[String]]) throws(Refusal) {
        for member in all {
            let isMeant = paths.contains {
                $0 == ["*"] || member.path.starts(with: $0) || $0.starts(with: member.path)
            }
            guard paths.isEmpty || isMeant else { continue }
            var fields: Fields? = body
            for name in member.path.dropLast() { fields = try fields?.object(name) }
            if let value = try fields?.value(member.path[member.path.count - 1]), value.asksForSomething {
                throw .operationNotAllowed(member.sentence)
            }
        }
    }
}

extension JSON {
    /// Whether a setting in Google's documents is on: any value but an empty one, false, `OFF`, `DISABLED` and
    /// `…_UNSPECIFIED`.
    package var asksForSomething: Bool {
        switch self {
        case .null, .bool(false): false
        case .array(let items): items.contains(where: \.asksForSomething)
        case .object(let object): object.members.contains(where: \.value.asksForSomething)
        case .string(let text): !["", "OFF", "DISABLED"].contains(text) && !text.hasSuffix("UNSPECIFIED")
        default: true
        }
    }
}

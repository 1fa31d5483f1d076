// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingWire

/// Second factors are kept as data: nothing asks for them.
enum SecondFactors {
    /// Those of a request that makes an account, which gives them ids, or changes one, which has ids. A number that
    /// comes again is left out.
    static func taken(_ entries: [Body], makesIDs: Bool) throws(Fault) -> [JSON] {
        var (factors, phones, ids) = ([JSON](), Set<String>(), Set<String>())
        for entry in entries {
            guard let phone = try entry.text("phoneInfo"), phone.hasPrefix("+") else {
                throw Fault("INVALID_MFA_PHONE_NUMBER : Invalid format.")
            }
            guard phones.insert(phone).inserted else { continue }
            guard let id = makesIDs ? World.randomText(28) : try entry.text("mfaEnrollmentId") else {
                throw Fault("INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.")
            }
            guard ids.insert(id).inserted else { throw Fault("DUPLICATE_MFA_ENROLLMENT_ID") }
            factors.append(try factor(entry, id: id, phone: phone, enrolledAt: entry.text("enrolledAt")))
        }
        return factors
    }

    /// Those of an import, which may lack ids and moments.
    static func imported(_ entries: [Body], at now: String) throws(Fault) -> [JSON] {
        var (factors, phones, ids) = ([JSON](), Set<String>(), Set<String>())
        for entry in entries {
            if let id = try entry.text("mfaEnrollmentId"), !ids.insert(id).inserted {
                throw Fault("Enrollment id already exists.")
            }
        }
        for entry in entries {
            guard let phone = try entry.text("phoneInfo") else { throw Fault("Second factor not supported.") }
            guard phone.hasPrefix("+") else { throw Fault("Phone number format is invalid") }
            guard phones.insert(phone).inserted else {
                throw Fault("INTERNAL_ERROR : MFA Enrollment Phone Numbers must be unique.")
            }
            factors.append(
                try factor(
                    entry, id: entry.text("mfaEnrollmentId") ?? World.randomText(28), phone: phone,
                    enrolledAt: entry.text("enrolledAt") ?? now))
        }
        return factors
    }

    private static func factor(
        _ entry: Body, id: String, phone: String, enrolledAt: String?
    ) throws(Fault) -> JSON {
        .object([
            ("displayName", try entry.text("displayName").map { .string($0) }), ("phoneInfo", .string(phone)),
            ("emailInfo", try entry.value("emailInfo")), ("totpInfo", try entry.value("totpInfo")),
            ("mfaEnrollmentId", .string(id)), ("enrolledAt", enrolledAt.map { .string($0) }),
            ("unobfuscatedPhoneInfo", .string(phone)),
        ])
    }
}

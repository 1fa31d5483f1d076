// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingWire

extension ImportedPassword {
    /// A password as Django keeps it: the name of the algorithm, `$`, and what that algorithm needs
    /// (https://docs.djangoproject.com/en/stable/topics/auth/passwords/). Nil for `!…`, which is no password.
    static func django(_ text: String?) throws(Fault) -> ImportedPassword? {
        guard let text, !text.isEmpty, text.utf8.first != UInt8(ascii: "!") else { return nil }
        let parts = ASCII.split(text, at: UInt8(ascii: "$"))
        let name = String(parts[0])
        let problem = "the password's hash is not whole, or costs too much"
        switch Array(name.utf8) {
        case Array("argon2".utf8), Array("bcrypt".utf8):
            return try self.text(String(text.dropFirst(name.utf8.first == UInt8(ascii: "a") ? 6 : 7)))
        case Array("bcrypt_sha256".utf8):
            let hash = Array(text.utf8.dropFirst(name.utf8.count + 1))
            return try ImportedPassword(hash, .bcrypt(digest: .sha256), problem: problem)
        case Array("scrypt".utf8):
            guard parts.count == 6, let cost = Int(parts[1]), let block = Int(parts[3]), let lanes = Int(parts[4]),
                let hash = PasswordScheme.decode(String(parts[5]))
            else { throw Fault(problem) }
            return try ImportedPassword(
                hash, salt: Array(parts[2].utf8), .scrypt(cost: cost, blockSize: block, parallelization: lanes),
                problem: problem)
        case Array("pbkdf2_sha256".utf8), Array("pbkdf2_sha1".utf8):
            guard parts.count == 4, let rounds = Int(parts[1]), let hash = PasswordScheme.decode(String(parts[3]))
            else { throw Fault(problem) }
            let digest: PasswordDigest = name.utf8.last == UInt8(ascii: "6") ? .sha256 : .sha1
            return try ImportedPassword(
                hash, salt: Array(parts[2].utf8), .pbkdf2(digest, rounds: rounds), problem: problem)
        case Array("md5".utf8), Array("sha1".utf8):
            guard parts.count == 3 else { throw Fault(problem) }
            let digest: PasswordDigest = name.utf8.count == 3 ? .md5 : .sha1
            return try ImportedPassword(
                Array(parts[2].utf8), salt: Array(parts[1].utf8), .digest(digest, rounds: 1, isSaltFirst: true),
                problem: problem)
        default:
            // A text without a name may be the hash itself.
            throw unknown(parts.count > 1 ? name : "")
        }
    }
}

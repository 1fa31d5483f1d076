// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How long a check of a hash keeps a thread, as a number that is the same on every machine: what it took on a core of
/// an ordinary server (Xeon of 2023, release build), rounded up.
extension PasswordScheme {
    /// The most that the kinds of a project may take together, in microseconds: every wrong password takes it, of
    /// whatever project, while others wait. It holds bcrypt with a cost of 14 beside PBKDF2 with 1,200,000 rounds and
    /// argon2 with 64 MiB and three passes.
    package static let mostMicroseconds = 1_500_000

    package var microseconds: Int {
        switch self {
        // 36 ms for 2^14 blocks of 8.
        case .firebaseScrypt(_, _, let rounds, let memoryCost): (rounds << memoryCost) * 3 / 10
        case .scrypt(let cost, let blockSize, let parallelization): cost * blockSize * parallelization * 3 / 10
        // 133 ms for 1,200,000 rounds, 156 ms for 210,000 of SHA-512.
        case .pbkdf2(let digest, let rounds, let length):
            rounds * digest.blocks(of: length ?? nobody.hash.count) * (digest == .sha512 ? 75 : 12) / 100
        // 820 ms for a cost of 14, and a half for each step below.
        case .bcrypt: 60 << (Self.bcryptCost(nobody.hash) ?? 0)
        // 212 ms for 64 MiB and three passes.
        case .argon2: (Argon2Text(nobody.hash)?.cost).map { $0.memory * $0.passes } ?? 0
        case .argon2Bytes(let parameters): parameters.cost.memory * parameters.cost.passes
        case .digest(_, let rounds, _): rounds
        case .hmac: 1
        case .oldSystem: 0
        }
    }

    /// Seconds with one digit behind the point, as people read them.
    package static func seconds(_ microseconds: Int) -> String {
        let tenths = (microseconds + 50_000) / 100_000
        return "\(tenths / 10).\(tenths % 10) s"
    }
}

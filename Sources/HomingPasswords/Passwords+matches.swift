// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

extension Passwords {
    /// Checks our own hash, or another system's, in one job of the pool. A wrong password, and one for no hash, take
    /// the time of our own and of all other kinds together.
    ///
    /// - Parameters:
    ///   - stored: the hash as an account keeps it.
    ///   - scheme: the one of another system's hash.
    package func matches(
        _ password: String, _ stored: String?, by scheme: PasswordScheme?, among schemes: [PasswordScheme],
        for caller: String
    ) async throws -> Bool {
        let imported = ImportedHash(stored)
        return try await pool.run(for: caller) {
            if let imported, let scheme, try scheme.matches(password, salt: imported.salt, hash: imported.hash) {
                return true
            }
            if try Self.isRight(password, imported == nil ? stored : nil) { return true }
            for other in PasswordScheme.checks(beside: scheme, among: schemes) {
                // One that the library cannot compute verifies nobody's password, and keeps nobody from being told so.
                _ = try? other.matches(password, salt: other.nobody.salt, hash: other.nobody.hash)
            }
            return false
        }
    }
}

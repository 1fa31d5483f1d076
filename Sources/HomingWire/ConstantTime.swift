// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Whether two secrets are the same, in a time that depends on their lengths only: the time does not reveal how far a
/// guess is right (OWASP ASVS 11.2.4).
@inlinable
package func areEqualInConstantTime(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}

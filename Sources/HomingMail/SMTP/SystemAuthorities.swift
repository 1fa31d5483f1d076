// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import Foundation

/// The certificates that this system trusts.
enum SystemAuthorities {
    /// The folder in which OpenSSL finds an authority by the hash of its name, if libcurl knows one that is filled.
    /// With this folder alone each connection reads the one file it needs, where the bundle with all authorities takes
    /// 1.4 MB of memory per connection.
    static let folder: String? = {
        guard let capath = curl_version_info(CURLVERSION_SEVENTH)?.pointee.capath else { return nil }
        let path = String(cString: capath)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.contains(where: isHashedName) ? path : nil
    }()

    /// Whether a name has eight hexadecimal digits, a dot and a number, as `openssl rehash` makes them.
    private static func isHashedName(_ name: String) -> Bool {
        let halves = Array(name.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return halves.count == 2 && halves[0].count == 8
            && UInt32(String(decoding: halves[0], as: UTF8.self), radix: 16) != nil
            && Int(String(decoding: halves[1], as: UTF8.self)) != nil
    }
}

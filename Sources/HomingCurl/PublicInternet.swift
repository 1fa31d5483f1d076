// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl
internal import HomingStore

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Lets transfers of libcurl's connect to addresses of the internet alone, whatever a name is resolved to: a URL that
/// somebody else than this machine's operator has given reaches nothing of the machine or its network.
package final class PublicInternet {
    /// The last address to which no connection was made.
    private var refused: IPAddress?

    package init() {}

    /// Holds for the transfers of a handle from now on, which this value has to outlive.
    package func guards(_ handle: UnsafeMutableRawPointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let function = unsafeBitCast(openSocket, to: UnsafeMutableRawPointer.self)
        return homing_curl_set_pointer(handle, CURLOPT_OPENSOCKETFUNCTION, function) == CURLE_OK
            && homing_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
    }

    /// Why a transfer has failed, if it was for that.
    package var reason: String? {
        refused.map { "\($0) is no address of the internet, and mail.privateAddresses does not allow others" }
    }

    package func forget() { refused = nil }

    fileprivate func allows(_ address: IPAddress) -> Bool {
        if !address.isPublic { refused = address }
        return address.isPublic
    }
}

private let openSocket: curl_opensocket_callback = { context, _, given in
    guard let context, let given, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
        return CURL_SOCKET_BAD
    }
    let address = UnsafeRawPointer(given).advanced(by: offset)
    // Where the address begins in `sockaddr_in` and in `sockaddr_in6`, and its bytes.
    let (start, count): (Int, Int)
    switch given.pointee.family {
    case AF_INET: (start, count) = (4, 4)
    case AF_INET6: (start, count) = (8, 16)
    default: return CURL_SOCKET_BAD
    }
    let bytes = UnsafeRawBufferPointer(start: address.advanced(by: start), count: count)
    let internet = Unmanaged<PublicInternet>.fromOpaque(context).takeUnretainedValue()
    guard internet.allows(IPAddress(bytes: Array(bytes))) else { return CURL_SOCKET_BAD }
    let opened = socket(given.pointee.family, given.pointee.socktype, given.pointee.`protocol`)
    if opened >= 0 { _ = fcntl(opened, F_SETFD, FD_CLOEXEC) }
    return opened
}

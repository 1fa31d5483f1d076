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
    /// Whether there was an address to which no connection was made.
    private var hasRefused = false

    package init() {}

    /// Holds for the transfers of a handle from now on, which this value has to outlive.
    package func guards(_ handle: UnsafeMutableRawPointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let function = unsafeBitCast(openSocket, to: UnsafeMutableRawPointer.self)
        return homing_curl_set_pointer(handle, CURLOPT_OPENSOCKETFUNCTION, function) == CURLE_OK
            && homing_curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
    }

    /// Why a transfer has failed, if it was for that. It does not tell what a name is resolved to here.
    package var reason: String? {
        hasRefused
            ? "its host leads to no address of the internet, and mail.privateAddresses does not allow others" : nil
    }

    package func forget() { hasRefused = false }

    /// An address of this machine is none of the internet's for it, whatever it is for others: what listens there may
    /// take whoever comes from here for one of its own.
    fileprivate func allows(_ address: IPAddress) -> Bool {
        let isAllowed = address.isPublic && !Self.ownAddresses.contains(address)
        if !isAllowed { hasRefused = true }
        return isAllowed
    }

    /// As they are now.
    private static var ownAddresses: Set<IPAddress> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var addresses: Set<IPAddress> = []
        var next = first
        while let interface = next {
            if let address = interface.pointee.ifa_addr,
                let found = IPAddress(at: UnsafeRawPointer(address), family: Int32(address.pointee.sa_family))
            {
                addresses.insert(found)
            }
            next = interface.pointee.ifa_next
        }
        return addresses
    }
}

private let openSocket: curl_opensocket_callback = { context, _, given in
    guard let context, let given, let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
        return CURL_SOCKET_BAD
    }
    let address = UnsafeRawPointer(given).advanced(by: offset)
    let internet = Unmanaged<PublicInternet>.fromOpaque(context).takeUnretainedValue()
    guard let wanted = IPAddress(at: address, family: given.pointee.family), internet.allows(wanted) else {
        return CURL_SOCKET_BAD
    }
    let opened = socket(given.pointee.family, given.pointee.socktype, given.pointee.`protocol`)
    if opened >= 0 { _ = fcntl(opened, F_SETFD, FD_CLOEXEC) }
    return opened
}

extension IPAddress {
    /// The address in a `sockaddr_in` or a `sockaddr_in6`.
    fileprivate init?(at address: UnsafeRawPointer, family: Int32) {
        // Where it begins, and its bytes.
        let (start, count): (Int, Int)
        switch family {
        case AF_INET: (start, count) = (4, 4)
        case AF_INET6: (start, count) = (8, 16)
        default: return nil
        }
        self.init(bytes: Array(UnsafeRawBufferPointer(start: address.advanced(by: start), count: count)))
    }
}

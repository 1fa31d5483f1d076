// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore
import Testing

@Suite struct `An address of the internet` {
    @Test(arguments: [
        "127.0.0.1", "127.255.0.1", "0.0.0.0", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1",
        "169.254.169.254", "224.0.0.1", "255.255.255.255", "198.18.0.1",
        "::", "::1", "::7f00:1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "2002:7f00:1::",
        "2001:0:a00:1::", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::1",
        "100::1", "1fff::1", "4000::1", "5f00::1", "::1.1.1.1",
    ])
    func `is none of this machine, its network or a tunnel into it`(text: String) throws {
        #expect(try !#require(IPAddress(parsing: text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "169.253.0.1", "192.167.0.1",
        "11.0.0.1",
        "223.255.255.254", "2606:4700:4700::1111", "2001:4860:4860::8888", "::ffff:1.1.1.1", "64:ff9b::1.1.1.1",
    ])
    func `is every other`(text: String) throws {
        #expect(try #require(IPAddress(parsing: text)).isPublic)
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCommands
import HomingCore
import HomingOperations
import HomingStore
import Testing

@Suite struct `What a service manager hands over` {
    private func sockets(_ environment: [String: String]) throws -> [ListenerName: CInt] {
        try HandedSockets(environment: ["LISTEN_PID": "42"].merging(environment) { $1 }, process: 42).descriptors
    }

    @Test func `sockets go to the listeners that they are called by`() throws {
        #expect(try sockets(["LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:admin"]) == [.open: 3, .admin: 4])
        #expect(try sockets(["LISTEN_FDS": "2", "LISTEN_FDNAMES": "admin:public"]) == [.open: 4, .admin: 3])
        #expect(try sockets(["LISTEN_FDS": "1", "LISTEN_FDNAMES": "admin"]) == [.admin: 3])
    }

    @Test func `sockets without a name of their own go to the listeners in order`() throws {
        #expect(try sockets(["LISTEN_FDS": "2"]) == [.open: 3, .admin: 4])
        #expect(try sockets(["LISTEN_FDS": "1", "LISTEN_FDNAMES": ""]) == [.open: 3])
        #expect(
            try sockets(["LISTEN_FDS": "2", "LISTEN_FDNAMES": "homing.socket:homing.socket"]) == [
                .open: 3, .admin: 4,
            ])
        #expect(try sockets(["LISTEN_FDS": "2", "LISTEN_FDNAMES": "unknown:public"]) == [.open: 4, .admin: 3])
    }

    @Test func `nothing is taken that is not there or is for another process`() throws {
        #expect(try sockets([:]).isEmpty)
        #expect(try sockets(["LISTEN_FDS": "0"]).isEmpty)
        #expect(try sockets(["LISTEN_FDS": "2", "LISTEN_PID": "43"]).isEmpty)
        #expect(try sockets(["LISTEN_FDS": "2", "LISTEN_PID": "042"]).isEmpty)
        #expect(try HandedSockets(environment: ["LISTEN_FDS": "2"], process: 42).descriptors.isEmpty)
    }

    @Test(arguments: [
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:web"], "no listener is called web"),
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "public:public"], "two sockets are called public"),
        (["LISTEN_FDS": "3"], "3 sockets are handed over for two listeners"),
        (["LISTEN_FDS": "2", "LISTEN_FDNAMES": "public"], "LISTEN_FDNAMES has 1 names for the 2 sockets"),
        (["LISTEN_FDS": "two"], "LISTEN_FDS=two is not a number of sockets"),
        (["LISTEN_FDS": "-1"], "LISTEN_FDS=-1 is not a number of sockets"),
        (["LISTEN_FDS": "1", "LISTEN_FDNAMES": "a\nb"], "no listener is called a\\u{a}b"),
    ])
    func `what cannot be meant is refused in a sentence`(environment: [String: String], sentence: String) throws {
        do {
            _ = try sockets(environment)
            Issue.record("it was taken")
        } catch let refusal as Refusal where refusal.code == .invalidSetting {
            #expect(refusal.sentence.hasPrefix(sentence), "\(refusal.sentence)")
        }
    }

    @Test func `an address that was set and is not that of its socket is named`() throws {
        let settings = try GivenSettings(environment: ["HOMING_LISTEN": "127.0.0.1:9099"]).load()
        let sentences = ServiceManager.differences(
            of: settings, from: ["listen": "127.0.0.1:9100", "admin-listen": "127.0.0.1:1"])
        #expect(sentences.count == 1, "a default is nobody's wish")
        #expect(sentences.first?.contains("127.0.0.1:9100") == true)
        #expect(sentences.first?.contains("listen=127.0.0.1:9099 (HOMING_LISTEN)") == true)
        #expect(ServiceManager.differences(of: settings, from: ["listen": "127.0.0.1:9099"]).isEmpty)
        #expect(ServiceManager.differences(of: settings, from: [:]).isEmpty)
    }

    @Test func `silence is watched only where this process is meant`() throws {
        func longestSilence(_ environment: [String: String]) throws -> Duration? {
            try ServiceManager(environment: environment, process: 42).longestSilence
        }
        #expect(try longestSilence([:]) == nil)
        #expect(try longestSilence(["WATCHDOG_USEC": "30000000"]) == .seconds(30))
        #expect(try longestSilence(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "42"]) == .seconds(30))
        #expect(try longestSilence(["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "43"]) == nil)
        #expect(try longestSilence(["WATCHDOG_USEC": "0"]) == nil)
        #expect(try longestSilence(["WATCHDOG_USEC": "soon"]) == nil)
    }

    @Test func `notices are in the manager's words, one line each`() {
        #expect(ServiceManager.Notice.ready.text == "READY=1")
        #expect(ServiceManager.Notice.stopping.text == "STOPPING=1")
        #expect(ServiceManager.Notice.working.text == "WATCHDOG=1")
        #expect(ServiceManager.Notice.moreTime(seconds: 30).text == "EXTEND_TIMEOUT_USEC=30000000")
        #expect(ServiceManager.Notice.status("a\nREADY=1").text.split(separator: "\n").count == 1)
        let lines = ServiceManager.Notice.reloading.text.split(separator: "\n")
        #expect(lines.first == "RELOADING=1")
        #expect(lines.last?.wholeMatch(of: /MONOTONIC_USEC=[1-9][0-9]*/) != nil)
    }
}

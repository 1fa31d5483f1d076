// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import CLibCurl

/// The data that libcurl's callbacks read and write while one connection works. It belongs to that connection's thread.
final class SMTPExchange {
    private(set) var transcript = SMTPTranscript()
    private var message: [UInt8] = []
    private var sentCount = 0
    private var isStopped: () -> Bool = { false }
    private var farewellBegan: ContinuousClock.Instant?

    /// The time that a relay has for its goodbye, on which nothing depends.
    private static let farewellPatience = Duration.seconds(2)

    /// Begins a new mail's dialogue.
    func begin(message: [UInt8], isStopped: @escaping () -> Bool) {
        transcript = SMTPTranscript()
        self.message = message
        self.isStopped = isStopped
        sentCount = 0
        farewellBegan = nil
    }

    /// Hands out the next bytes of the message; 0 at its end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(buffer.count, message.count - sentCount)
        buffer.copyBytes(from: message[sentCount..<(sentCount + count)])
        sentCount += count
        return count
    }

    func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
        switch kind {
        case CURLINFO_HEADER_OUT:
            transcript.sent(bytes)
            if transcript.isOver, farewellBegan == nil { farewellBegan = .now }
        case CURLINFO_HEADER_IN: transcript.received(bytes)
        default: break
        }
    }

    /// Whether libcurl should end the transfer; libcurl asks at least once a second.
    var shouldEnd: Bool {
        if let farewellBegan { return farewellBegan.duration(to: .now) > Self.farewellPatience }
        return isStopped()
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The few frames of HTTP/2 (RFC 9113 section 4) that the tests send.
enum HTTP2Bytes {
    struct Frame {
        let type: UInt8
        let flags: UInt8
        let stream: Int
        let payload: [UInt8]

        var isData: Bool { type == 0 }
        /// A head that is not the stream's end.
        var isOpenHead: Bool { type == 1 && flags & 0x1 == 0 }
        var isFarewell: Bool { type == 7 }
        var isReset: Bool { type == 3 }
        var isPing: Bool { type == 6 && flags & 0x1 == 0 }
        /// The acknowledgement of a PING.
        var isPong: Bool { type == 6 && flags & 0x1 == 1 }
    }

    /// The preface and empty SETTINGS.
    static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(type: 4, flags: 0, stream: 0, [])

    static let get = get(stream: 1)

    /// `:method GET`, `:scheme https`, `:path /` from HPACK's static table, `:authority` as a literal; END_STREAM.
    static func get(stream: UInt8) -> [UInt8] {
        frame(type: 1, flags: 0x5, stream: stream, [0x82, 0x87, 0x84] + authority)
    }

    /// A request whose method is no token (RFC 9110 section 9.1); `:method` as a literal.
    static let badMethod = frame(
        type: 1, flags: 0x5, stream: 1, [0x02, 0x04] + Array("GE T".utf8) + [0x87, 0x84] + authority)

    /// A GET of /slow.
    static let slow = frame(type: 1, flags: 0x5, stream: 1, [0x82, 0x87, 0x04, 0x05] + Array("/slow".utf8) + authority)

    /// A POST to /length that promises a body and never sends one.
    static let endlessPost = frame(
        type: 1, flags: 0x4, stream: 1, [0x83, 0x87, 0x04, 0x07] + Array("/length".utf8) + authority)

    /// A GET of /last.
    static func last(stream: UInt8) -> [UInt8] {
        frame(type: 1, flags: 0x5, stream: stream, [0x82, 0x87, 0x04, 0x05] + Array("/last".utf8) + authority)
    }

    /// A POST to /length that waits for 100 Continue before its body; `expect` stands in HPACK's static table.
    static let waitingPost = frame(
        type: 1, flags: 0x4, stream: 1,
        [0x83, 0x87, 0x04, 0x07] + Array("/length".utf8) + authority + [0x0F, 0x14, 0x0C] + Array("100-continue".utf8))

    /// The body of a request, and its end.
    static func data(_ text: String) -> [UInt8] { frame(type: 0, flags: 0x1, stream: 1, Array(text.utf8)) }

    /// Whoever acknowledges it has read all frames before it.
    static let ping = frame(type: 6, flags: 0, stream: 0, [1, 2, 3, 4, 5, 6, 7, 8])

    /// The acknowledgement of a PING.
    static func acknowledgement(of ping: Frame) -> [UInt8] {
        frame(type: 6, flags: 0x1, stream: 0, ping.payload)
    }

    /// The complete frames in the received bytes.
    static func frames(in bytes: [UInt8]) -> [Frame] {
        var frames: [Frame] = []
        var rest = bytes[...]
        while rest.count >= 9 {
            let head = Array(rest.prefix(9))
            let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard rest.count >= 9 + length else { break }
            let payload = Array(rest.dropFirst(9).prefix(length))
            let stream = Int(head[7]) << 8 | Int(head[8])
            frames.append(Frame(type: head[3], flags: head[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + length)
        }
        return frames
    }

    private static let authority: [UInt8] = [0x01, 0x09] + Array("localhost".utf8)

    private static func frame(type: UInt8, flags: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}

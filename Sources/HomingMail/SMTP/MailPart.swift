// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation

/// One of a message's two bodies, encoded so that every line is ASCII and at most 76 long.
struct MailPart {
    let type: String
    let text: String

    /// Headers, an empty line and the encoded text, which ends in CRLF.
    func write(to bytes: inout [UInt8]) {
        let body = CanonicalLines.of(Array(text.utf8))
        // Base64 takes 4 bytes for 3, quoted-printable 3 for each byte that is not ASCII, and stays readable.
        let usesBase64 = body.count { $0 > 0x7e } * 6 > body.count
        HeaderField(name: "Content-Type", tokens: ["\(type);", "charset=utf-8"]).write(to: &bytes)
        HeaderField(name: "Content-Transfer-Encoding", tokens: [usesBase64 ? "base64" : "quoted-printable"])
            .write(to: &bytes)
        bytes += "\r\n".utf8
        bytes += usesBase64 ? Self.base64(body) : QuotedPrintable.of(body)
    }

    private static func base64(_ body: [UInt8]) -> [UInt8] {
        let encoded = Data(body).base64EncodedData(
            options: [.lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed])
        return Array(encoded) + Array("\r\n".utf8)
    }
}

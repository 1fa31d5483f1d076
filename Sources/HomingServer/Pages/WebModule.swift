// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CHomingWeb
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The modules for web pages that want no SDK of Firebase's, `homing.js` and those around it, and their types.
///
/// A page names the modules' hashes (Subresource Integrity), so the files of a number never change once they were
/// released: modules that have changed get the next number, and the earlier ones stay.
struct WebModule: Sendable {
    let name: String
    private let file: ByteBuffer

    private static let folder = "/__/homing/1"

    private static let all: [WebModule] = UnsafeBufferPointer(start: homing_web_files(), count: homing_web_file_count())
        .map { file in
            WebModule(
                name: String(cString: file.name),
                file: ByteBuffer(bytes: UnsafeBufferPointer(start: file.bytes, count: file.size)))
        }

    private var isScript: Bool { name.hasSuffix(".js") }

    /// What `integrity` says in a page.
    private var integrity: String {
        "sha384-" + Data(SHA384.hash(data: Data(file.readableBytesView))).base64EncodedString()
    }

    static let endpoints: [Endpoint] =
        all.map(\.endpoint) + [
            Endpoint(
                "webModule", .get, ["\(folder)/integrity"], "The modules' hashes, as `integrity` in a page.",
                reply: .text, .anybody { _, _, _ in Answer.text(hashes) })
        ]

    private static let hashes = all.filter(\.isScript).map { "\($0.integrity) \($0.name)\n" }.joined()

    private var endpoint: Endpoint {
        Endpoint(
            "webModule", .get, ["\(Self.folder)/\(name)"], isScript ? "A module." : "A module's types.",
            reply: isScript ? .script : .text, .anybody { _, _, _ in answer })
    }

    private var answer: Response {
        Response(
            status: .ok,
            headers: [
                .contentType: isScript ? "text/javascript; charset=utf-8" : "text/plain; charset=utf-8",
                .xContentTypeOptions: "nosniff", .cacheControl: "public, max-age=31536000, immutable",
            ], body: .init(byteBuffer: file))
    }
}

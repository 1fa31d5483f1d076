// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import CHomingWeb
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `homing.js`, the module for web pages that want no SDK of Firebase's, and its types.
///
/// A page names the module's hash (Subresource Integrity), so the file of a number never changes once it was released:
/// a module that has changed gets the next number, and the earlier ones stay.
enum WebModule {
    private static let folder = "/__/homing/1"

    private static let module = ByteBuffer(
        bytes: UnsafeBufferPointer(start: homing_web_module(), count: homing_web_module_size()))
    private static let types = ByteBuffer(
        bytes: UnsafeBufferPointer(start: homing_web_types(), count: homing_web_types_size()))

    /// What `integrity` says in a page.
    private static let integrity =
        "sha384-" + Data(SHA384.hash(data: Data(module.readableBytesView))).base64EncodedString()

    static let endpoints: [Endpoint] = [
        Endpoint(
            "webModule", .get, ["\(folder)/homing.js"], "The module.", reply: .script,
            .anybody { _, _, _ in answer(module, type: "text/javascript; charset=utf-8") }),
        Endpoint(
            "webModule", .get, ["\(folder)/homing.d.ts"], "The module's types.", reply: .text,
            .anybody { _, _, _ in answer(types, type: "text/plain; charset=utf-8") }),
        Endpoint(
            "webModule", .get, ["\(folder)/integrity"], "The module's hash, as `integrity` in a page.", reply: .text,
            .anybody { _, _, _ in Answer.text(integrity + "\n") }),
    ]

    private static func answer(_ file: ByteBuffer, type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .xContentTypeOptions: "nosniff",
                .cacheControl: "public, max-age=31536000, immutable",
            ], body: .init(byteBuffer: file))
    }
}

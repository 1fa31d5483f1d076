// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingLinkRules
import HomingProjects
import Hummingbird
import NIOCore

/// Answers the files that tell iOS and Android which apps belong to a host. Only on link domains; nothing redirects.
enum AssociationAnswer {
    static let applePaths = ["/.well-known/apple-app-site-association", "/apple-app-site-association"]
    static let androidPath = "/.well-known/assetlinks.json"

    static func answer(
        _ request: Request, _ homing: Homing,
        _ file: any KeyPath<AssociationFiles, AssociationFiles.Document> & Sendable
    ) -> Response {
        // The router ignores a slash at the end; for these files a path with one is another path.
        guard request.uri.path.utf8.last != UInt8(ascii: "/"), let host = request.head.authority,
            let files = homing.projects.associations(host: host)
        else {
            return Answer.notFound
        }
        let file = files[keyPath: file]
        var headers: HTTPFields = [
            .eTag: file.entityTag, .cacheControl: "public, max-age=300", .xContentTypeOptions: "nosniff",
            .referrerPolicy: "no-referrer", .robots: "noindex", .vary: "User-Agent",
        ]
        if request.headers[.ifNoneMatch].map({ names(file.entityTag, in: $0) }) == true {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = "application/json"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    /// Weak comparison (RFC 9110 section 13.1.2).
    private static func names(_ tag: String, in field: String) -> Bool {
        field.split(separator: ",").contains { item in
            var item = item.drop { $0 == " " }
            if item.hasPrefix("W/") { item = item.dropFirst(2) }
            return item.utf8.elementsEqual(tag.utf8) || item == "*"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingWire
import Hummingbird
import NIOCore

/// The picture of a browser's tab: a house in white on the blue of the buttons. Browsers ask for it without being told,
/// at the one path where they look when a page names none.
enum Favicon {
    static let path = "/favicon.ico"

    /// - Parameter isCacheable: false on link domains, whose answers nobody keeps, and on the admin listener.
    static func answer(isCacheable: Bool) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "image/x-icon", .xContentTypeOptions: "nosniff",
                .cacheControl: isCacheable ? "public, max-age=604800" : "no-store",
            ],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// An ICO file around a PNG of 32 by 32 in sixteen colours, as base64url. Not every browser would show a vector.
    private static let bytes =
        Base64URL.decode(
            "AAABAAEAICAAAAEABAASAQAAFgAAAIlQTkcNChoKAAAADUlIRFIAAAAgAAAAIAQDAAAAgVRnxwAAAB5QTFRFM1DUM1DUM1DUM1DUM1DU"
                + "XHPdhZblrbnu1tz2____3G5dfAAAAAp0Uk5TAECAv________9gv7V8AAACZSURBVHjaY2BgUHaBAyMGIBBxQQKODAyMLihAgIEFVcCB"
                + "QQVVwInBBFXAmQHKcEuBMmACmdNQBdxmzkxBEaicOXM6soD7TCAoQRKoBAlMRwh4zASDFrhAJ0RgBkwAqgCiBCjgOhMOQsAC7uUwLeUl"
                + "UDMyIQLT4IZiEZgOcguNBSI62lxcMjpawQIYgYwRDRgRhRGVGJGNnhwANTimnv6ScsYAAAAASUVORK5CYII") ?? []
}

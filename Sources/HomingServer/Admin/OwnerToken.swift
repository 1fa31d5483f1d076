// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HTTPTypes
internal import HomingListener
internal import HomingWire
internal import Hummingbird

/// `Authorization: Bearer owner`, which is no secret: it is taken from a back end that asks this listener itself, and
/// from nobody behind it.
///
/// Whoever passes requests on gives itself away, by a field or by HTTP/1.0, which gateways speak where they are not
/// told otherwise and no client library does. One that speaks HTTP/1.1 and adds nothing cannot be told from a back end.
enum OwnerToken {
    static func isMeant(by token: String) -> Bool { token.lowercased() == "owner" }

    /// What a gateway or a browser's page has left in a request; nil for nothing.
    static func traces(in request: Request) -> String? {
        if let version = request.headers[.olderVersion] { return version.hasPrefix("HTTP/") ? version : "HTTP/1.0" }
        return request.headers.first { field in
            let name = field.name.canonicalName
            // Of the headers about a browser's fetch only the site counts, because Node's `fetch` sends the mode as
            // well.
            if name == "sec-fetch-site" { return field.value != "none" }
            return names.contains(name) || prefixes.contains { name.hasPrefix($0) }
        }?.name.rawName
    }

    private static let names: Set<String> = [
        "origin", "referer", "forwarded", "via", "cdn-loop", "true-client-ip", "x-client-ip", "x-cluster-client-ip",
        "x-real-ip", "x-real-port", "x-proxyuser-ip", "x-request-id", "x-scheme", "x-url-scheme", "x-host",
        "x-cloud-trace-context", "x-varnish",
    ]

    /// Of Cloudflare, Fastly, Amazon, Azure, Google's App Engine, Envoy, and of what many proxies share.
    private static let prefixes = [
        "x-forwarded", "x-original-", "x-envoy-", "x-amzn-", "x-amz-cf-", "x-azure-", "x-arr-", "x-appengine-", "cf-",
        "fastly-",
    ]
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient

/// Answers what a URL is; none of ours for no URL.
@_cdecl("homing_auth_handle")
package func homingAuthHandle(_ auth: UnsafeRawPointer, _ url: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer {
    let incoming = optionalText(url).flatMap { URL(string: $0) }.map { object(auth, as: Auth.self).handle($0) }
    return retained(Box(incoming ?? .notOurs))
}

private func incoming(_ pointer: UnsafeRawPointer) -> IncomingURL { boxed(pointer, as: IncomingURL.self) }

/// A number of `HOMIncomingURLKind`.
@_cdecl("homing_incoming_kind")
package func homingIncomingKind(_ pointer: UnsafeRawPointer) -> Int {
    switch incoming(pointer) {
    case .notOurs: 0
    case .action: 1
    case .continueURL: 2
    case .dynamicLink: 3
    case .shortLink: 4
    case .otherProject: 5
    case .damaged: 6
    }
}

/// The link of an action, or nothing.
@_cdecl("homing_incoming_link")
package func homingIncomingLink(_ pointer: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    switch incoming(pointer) {
    case .action(let link), .otherProject(let link): retained(Box(link))
    case .continueURL, .dynamicLink, .shortLink, .damaged, .notOurs: nil
    }
}

@_cdecl("homing_incoming_url")
package func homingIncomingURL(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    switch incoming(pointer) {
    case .continueURL(let url), .dynamicLink(let url), .shortLink(let url): copied(url.absoluteString)
    case .action, .otherProject, .damaged, .notOurs: nil
    }
}

/// The error, or nothing.
@_cdecl("homing_incoming_error")
package func homingIncomingError(_ pointer: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    incoming(pointer).error.map { retained(Box<any Error>($0)) }
}

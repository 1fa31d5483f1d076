// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingCurl
internal import HomingMail
package import HomingProjects
package import HomingShortLinks
internal import HomingStore
internal import HomingWire

/// One request to a project's link webhook, signed as Standard Webhooks 1.0.0 says: ten seconds in all, no redirects, no
/// proxy, a certificate that this machine trusts, and no address of a private network unless the server's operator
/// allows those.
package struct LinkWebhookCall: Sendable {
    private static let seconds = 10

    private let homing: Homing
    private let webhook: LinkWebhook
    private let id: String
    private let body: String

    package init(_ batch: LinkEvents.Batch, in homing: Homing) {
        self.init(batch.webhook, id: batch.id, body: batch.body, in: homing)
    }

    private init(_ webhook: LinkWebhook, id: String, body: String, in homing: Homing) {
        (self.homing, self.webhook, self.id, self.body) = (homing, webhook, id, body)
    }

    /// One that tells of nothing, for an operator who wants to see whether it is taken.
    package static func test(_ webhook: LinkWebhook, in homing: Homing) -> LinkWebhookCall {
        let now = homing.system.now()
        let body: JSON = [
            "type": "link.test", "timestamp": .string(now.timestamp),
            "data": ["project": .string(webhook.project.text)],
        ]
        return LinkWebhookCall(
            webhook, id: "evt_test" + homing.system.randomName(length: 16),
            body: String(decoding: body.write(pretty: false), as: UTF8.self), in: homing)
    }

    /// - Parameter isStopped: asked once a second; a request that is given up was not taken.
    /// - Returns: why it was not taken; nil when it was.
    package func send(isStopped: @escaping @Sendable () -> Bool = { false }) async -> String? {
        let headers: [(name: String, value: String)]
        let isPublicOnly: Bool
        do {
            headers = try signedHeaders()
            isPublicOnly = try checkedReach()
        } catch {
            return RefusalLine.text(of: error)
        }
        let answer = await OwnThread.run { [webhook, body] in
            CurlTransfer.status(
                posting: body, to: webhook.url, headers, by: Version.agent, seconds: Self.seconds,
                isPublicOnly: isPublicOnly, isStopped: isStopped)
        }
        return switch answer {
        case .success(200..<300): nil
        case .success(let status) where (300..<400).contains(status):
            "it answered \(status), and redirects are not followed"
        case .success(let status): "it answered \(status)"
        case .failure(let failure): failure.text
        }
    }

    private func signedHeaders() throws -> [(name: String, value: String)] {
        let label = LinkWebhook.label(webhook.project, webhook.url)
        guard let opened = try homing.keys.ring.openUnlessGone(webhook.sealedSecret, name: label),
            let signature = WebhookSignature(secret: String(decoding: opened, as: UTF8.self))
        else {
            throw Refusal.invalidSetting(
                "its secret cannot be decrypted: homing link webhook set \(webhook.project) \(webhook.shownURL)")
        }
        return signature.headers(id: id, at: homing.system.now(), Array(body.utf8))
    }

    /// What was allowed when the webhook was set may not be now.
    private func checkedReach() throws -> Bool {
        let reachesAll = homing.serverMail.value.reachesPrivateAddresses
        guard let project = homing.projects.projectOrTenant(webhook.project) else { throw Refusal.projectNotFound }
        try LinkWebhook.check(
            webhook.url, for: project, publicURL: homing.publicURL, reachesPrivateAddresses: reachesAll)
        return LinkWebhook.isPublicOnly(
            webhook.url, publicURL: homing.publicURL, reachesPrivateAddresses: reachesAll)
    }
}

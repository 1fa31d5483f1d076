// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCertificates
import HomingCore
import HomingLinkRules
import HomingProjects
import HomingStore
import Hummingbird

/// The listener for port 80: it answers challenges of authorities, and sends whoever asks for one of our hosts to
/// https.
struct RedirectGate: HTTPResponder {
    /// The name of all that it sends to https among the routes.
    static let route = "https"

    let homing: Homing
    let certificates: Certificates

    static func listener(
        _ homing: Homing, _ certificates: Certificates, trustedProxies: Live<[AddressRange]>, metrics: Metrics
    ) -> PublicGate<RedirectGate> {
        PublicGate(
            inner: RedirectGate(homing: homing, certificates: certificates), homing: homing, isSecure: false,
            trustedProxies: trustedProxies, rate: RateLimit(perSecond: homing.limits.requestsPerIPSecond),
            clickRate: RateLimit(perSecond: homing.limits.clicksInForce), metrics: metrics)
    }

    func respond(to request: Request, context: CallContext) async throws -> Response {
        guard request.method == .get || request.method == .head else { return Answer.notFound }
        let path = request.uri.path
        if path.hasPrefix("\(ChallengeKind.httpPath)/") {
            context.coreContext.endpointPath.value = ChallengeAnswer.route
            let token = String(path.dropFirst(ChallengeKind.httpPath.count + 1))
            return try await ChallengeAnswer.answer(token, certificates) ?? Answer.notFound
        }
        context.coreContext.endpointPath.value = Self.route
        guard let base = base(of: request.head.authority ?? "") else { return Answer.notFound }
        return Response(
            status: .movedPermanently,
            headers: [.location: base + (request.head.path ?? "/"), .cacheControl: "no-store"])
    }

    /// Scheme and host of a host that is ours, as it is written in links; never what the request says.
    private func base(of host: String) -> String? {
        let host = LinkDomain.foldedHost(host)
        if let domain = homing.projects.linkDomains(hostKey: host).first { return "https://\(domain.authority)" }
        guard homing.publicURL.hasPrefix("https://") else { return nil }
        let own = homing.publicURL.dropFirst("https://".count)
        let name = own.prefix { $0 != ":" }
        return name == host || own == host ? homing.publicURL : nil
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore
package import HomingCurl
internal import HomingWire

/// Judges the target to which a link leads a device, by the target in this server's data.
package struct LinkCheck: Sendable {
    package let link: Examination.Link
    package let device: DoctorDevice
    /// Host and port of the link.
    package let subject: String
    /// The page for iPhones on the host of the public URL.
    package let openPage: String

    package init(_ link: Examination.Link, as device: DoctorDevice, subject: String, openPage: String) {
        self.link = link
        self.device = device
        self.subject = subject
        self.openPage = openPage
    }

    /// The next URL to request: the page with the button, when the answer leads there.
    package func next(after answer: WebAnswer) -> String? {
        guard link.leads[device] == nil, case .answered(let response) = answer, let url = response.target,
            url.utf8.starts(with: "\(openPage)?".utf8)
        else { return nil }
        return url
    }

    /// - Parameter answer: the link's own answer, or that of the page that ``next(after:)`` named.
    package func findings(_ answer: WebAnswer) -> [Finding] {
        switch answer {
        case .unreachable(let reason):
            return [problem("LINK_UNREACHABLE", reason, "Make the host answer, from here and from the internet.")]
        case .answered(let response):
            if let wanted = link.leads[device] { return [redirect(response, wanted)] }
            guard response.status == 200 else { return [elsewhere(response, "shows a page here")] }
            return [.ok("LINK_OK", subject, "\(opened) shows the page that opens the app, or says how")]
        }
    }

    private func redirect(_ response: WebAnswer.Response, _ wanted: String) -> Finding {
        guard response.isRedirect, let target = response.target, target.utf8.elementsEqual(wanted.utf8) else {
            return elsewhere(response, "leads to \(shown(wanted))")
        }
        return .ok("LINK_OK", subject, "\(opened) leads to \(shown(wanted))")
    }

    private func elsewhere(_ response: WebAnswer.Response, _ wanted: String) -> Finding {
        let seen = response.target.map { "leads to \(shown($0))" } ?? "is answered with \(response.status)"
        return problem(
            "LINK_LEADS_ELSEWHERE", "\(opened) \(seen); this server \(wanted)",
            "Pass every path of the host to this server, with Host and User-Agent unchanged and nothing cached.")
    }

    /// A URL for a message. A short link may hold a code, which nobody needs to read here.
    private func shown(_ url: String) -> String { Printable.ascii(SecretMask.masked(url), atMost: 300) }

    private var opened: String { "\(shown(link.url)), opened on \(device.name)," }

    private func problem(_ code: String, _ seen: String, _ advice: String) -> Finding {
        .problem(code, subject, seen, advice)
    }
}

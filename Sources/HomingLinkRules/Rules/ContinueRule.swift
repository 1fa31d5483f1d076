// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingStore
import HomingWire

/// Where a person may go on to when an action is done: to an authorised domain of the project, or to one of its link
/// domains.
///
/// A link domain opens the app, or leads on to where the project's links may lead, which is asked when the link is
/// followed. A link around other URLs is taken only where each of them is an authorised page, so that nobody goes from
/// link to link. Our own pages on the host of a link domain, the action page above all, are none of its URLs.
package struct ContinueRule: Sendable {
    let project: any LinkOwner
    let classifier: LinkClassifier

    init(project: any LinkOwner, classifier: LinkClassifier) {
        self.project = project
        self.classifier = classifier
    }

    /// The rule of a project that knows no other. Where a neighbour has a part of one's link domain, that part is
    /// refused by ``LinkRules/continueRule`` when the URL is followed.
    init(_ project: any LinkOwner) {
        self.init(
            project: project,
            classifier: LinkClassifier(publicURL: "", own: project) { host in
                project.linkDomains.filter { ASCII.areEqual($0.hostKey, host) }
            })
    }

    /// Whether a text is such a URL. A link may be longer than a ``WebURL``, as it is in mails.
    func allows(_ text: String) -> Bool {
        if let url = try? WebURL(parsing: text) {
            if project.lists(url) { return true }
            if project.claims(url), case .own = classifier.kind(of: url) { return true }
        }
        return isLinkAroundPages(text)
    }

    private func isLinkAroundPages(_ text: String) -> Bool {
        let forms = project.linkDomains.flatMap { domain in
            ["/__/auth/links?", "/?", "?"].map { domain.baseURL + $0 }
        }
        guard forms.contains(where: { text.utf8.starts(with: $0.utf8) }), WebURL.holdsOnlyAllowedBytes(text),
            let query = ActionHandler.query(of: text).flatMap({ QueryString(parsing: $0) }), query["link"] != nil
        else { return false }
        let names = LinkTarget.all.map(\.name)
        return query.parameters.allSatisfy { parameter in
            guard names.contains(where: { ASCII.areEqual($0, parameter.name) }) else { return true }
            guard let url = try? WebURL(parsing: parameter.value) else { return false }
            return project.lists(url) && classifier.isPage(url)
        }
    }
}

extension LinkOwner {
    /// Whether a URL leads to one of the authorised domains.
    func lists(_ url: WebURL) -> Bool { authorizedDomains.contains { $0.allows(url) } }

    /// Whether a URL lies under a link domain of the project, just as it is spelled.
    package func claims(_ url: WebURL) -> Bool {
        // The key of a link domain takes one scheme's default port for the other's.
        let isElsewhere = [80, 443].contains(url.effectivePort) && url.effectivePort != url.scheme.defaultPort
        return !isElsewhere
            && linkDomains.contains { domain in
                ASCII.areEqual(domain.hostKey, url.hostKey) && domain.claims(path: String(url.path))
            }
    }
}

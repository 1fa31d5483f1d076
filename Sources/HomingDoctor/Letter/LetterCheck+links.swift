// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingWire

extension LetterCheck {
    /// The links and pictures of one part.
    private struct Targets {
        var links: Set<LetterURL> = []
        var pictures: [LetterHTML.Picture] = []

        init(texts: [String]) {
            links = Set(texts.flatMap(LetterURL.all))
        }

        init(htmls: [String]) {
            for html in htmls.map(LetterHTML.init) {
                links.formUnion(html.links.compactMap(LetterURL.init))
                links.formUnion(LetterURL.all(in: html.text))
                pictures += html.pictures
            }
        }
    }

    func linkFindings() -> [Finding] {
        let text = Targets(texts: texts.map(\.text))
        let html = Targets(htmls: htmls.map(\.text))
        let headers = addedHeaders()
        guard let written else {
            return alone(text.links.union(html.links), html.pictures) + headers
        }
        let ourText = Targets(texts: [written.text])
        let ourHTML = Targets(htmls: [written.html])
        let ours = ourText.links.union(ourHTML.links)
        let foreign = text.links.union(html.links).subtracting(ours)
        // Of a part that is not there at all something else is said.
        let missing = (texts.isEmpty ? [] : ourText.links.subtracting(text.links))
            .union(htmls.isEmpty ? [] : ourHTML.links.subtracting(html.links))
        var findings = changed(foreign, missing: missing, ours: ours)
        if findings.isEmpty {
            let number = ours.count
            findings.append(
                .ok(
                    "LETTER_LINKS_OK", subject,
                    number == 0 ? "it has no links, as written" : "its links are those that were written, byte for byte"
                ))
        }
        let pictures = html.pictures.filter { picture in
            !ourHTML.pictures.contains { $0.url.utf8.elementsEqual(picture.url.utf8) }
        }
        return findings + added(pictures, all: true) + missingPicture(ourHTML, html) + headers
    }

    // MARK: Links

    private func changed(_ foreign: Set<LetterURL>, missing: Set<LetterURL>, ours: Set<LetterURL>) -> [Finding] {
        var (tracked, scanned, torn, other) = (Set<String>(), Set<String>(), Set<String>(), Set<String>())
        let ourHosts = Set(ours.map(\.host))
        let relay = LinkRewriter.relay(of: letter).map { ", perhaps by \($0.name), whose relay it passed" } ?? ""
        for url in foreign {
            let owner = LinkRewriter.owner(of: url)
            if let owner, owner.side == .receiver {
                scanned.insert("\(owner.name) at \(Self.shown(url.host))")
            } else if ourHosts.contains(url.host), owner == nil {
                torn.insert(Self.shown(url.host))
            } else if let owner {
                tracked.insert("\(owner.name) at \(Self.shown(url.host))")
            } else if missing.isEmpty {
                other.insert(Self.shown(url.host))
            } else {
                tracked.insert("\(Self.shown(url.host))\(relay)")
            }
        }
        var findings: [Finding] = []
        if !tracked.isEmpty {
            findings.append(
                .problem(
                    "LETTER_LINKS_REWRITTEN", subject, "its links are rewritten to lead through \(Self.words(tracked))",
                    "Switch click tracking off there, for this domain or account: a rewritten link opens no app, counts "
                        + "who taps it, and may be spent before its reader sees it."))
        }
        if !scanned.isEmpty {
            findings.append(
                .warning(
                    "LETTER_LINKS_SCANNED", subject,
                    "the receiver has put its scanner before the links: \(Self.words(scanned))",
                    "Nothing of yours does that. Such links still work, and an app opens after the page; a reader's "
                        + "administrator can exempt the hosts of your links."))
        }
        if !torn.isEmpty || (!missing.isEmpty && foreign.isEmpty) {
            findings.append(
                .problem(
                    "LETTER_LINKS_BROKEN", subject,
                    torn.isEmpty
                        ? "links that were written are missing"
                        : "a link to \(Self.words(torn)) is not the one that was written",
                    "Something on the way breaks long lines or encodings: compare the letter at each server that it "
                        + "passed, from the last Received to the first."))
        }
        if !other.isEmpty {
            findings.append(
                .warning(
                    "LETTER_LINKS_ADDED", subject, "links that nobody wrote here lead to \(Self.words(other))",
                    "Switch off the footer or banner of the relay or provider that adds them."))
        }
        return findings
    }

    /// Of a letter that is not known: whether its links lead to this server.
    private func alone(_ links: Set<LetterURL>, _ pictures: [LetterHTML.Picture]) -> [Finding] {
        let foreign = links.filter { !ownHosts.contains($0.host) }
        let known = foreign.filter { LinkRewriter.owner(of: $0) != nil }
        var findings = changed(known, missing: known, ours: [])
        let others = Set(foreign.subtracting(known).map { Self.shown($0.host) })
        if !others.isEmpty {
            findings.append(
                .warning(
                    "LETTER_LINKS_ELSEWHERE", subject,
                    "the email is not known here, and links of it lead to \(Self.words(others)), not to this server",
                    "They are yours where a template or a project's site names them. Else somebody on the way has written "
                        + "them: homing doctor --letter compares with what was sent."))
        }
        if findings.isEmpty {
            findings.append(
                .ok("LETTER_LINKS_OK", subject, "its links lead to this server; the email is not known here"))
        }
        return findings + added(pictures, all: false)
    }

    // MARK: Pictures

    /// - Parameter all: whether everything that is loaded is foreign, and not only what counts openings.
    private func added(_ pictures: [LetterHTML.Picture], all: Bool) -> [Finding] {
        let hosts = pictures.compactMap { picture -> String? in
            guard let url = LetterURL(picture.url) else { return nil }
            if let owner = LinkRewriter.owner(ofPicture: url) { return "\(owner.name) at \(Self.shown(url.host))" }
            return picture.isTiny || all ? Self.shown(url.host) : nil
        }
        guard !hosts.isEmpty else { return [] }
        return [
            .warning(
                "LETTER_PIXEL_ADDED", subject, "a picture was added that is loaded from \(Self.words(Set(hosts)))",
                "Switch open tracking off there: it tells who reads which mail, and spam filters count it.")
        ]
    }

    /// The logo travels in the letter, and is missing where a relay has dropped its part.
    private func missingPicture(_ ours: Targets, _ theirs: Targets) -> [Finding] {
        let isCarried: (LetterHTML.Picture) -> Bool = { $0.url.hasPrefixFoldingASCII("cid:") }
        guard !htmls.isEmpty, ours.pictures.contains(where: isCarried) else { return [] }
        let ids = Set(letter.all.compactMap { $0.value("content-id") }.map { $0.filter { $0 != "<" && $0 != ">" } })
        let isShown = theirs.pictures.filter(isCarried).contains { ids.contains(String($0.url.dropFirst(4))) }
        guard !isShown else { return [] }
        return [
            .warning(
                "LETTER_PICTURE_MISSING", subject, "the logo did not come along",
                "The relay or provider drops pictures that an email carries; the email is readable without.")
        ]
    }

    // MARK: Headers

    private func addedHeaders() -> [Finding] {
        var findings: [Finding] = []
        if let value = letter.value("list-unsubscribe") {
            let host = LetterURL.all(in: value).first.map { " to \(Self.shown($0.host))" } ?? ""
            findings.append(
                .warning(
                    "LETTER_UNSUBSCRIBE_ADDED", subject, "List-Unsubscribe was added\(host)",
                    "Switch subscription handling off there: whoever taps it gets no more emails about their own account."
                ))
        }
        return findings
    }

    // MARK: Words

    static func shown(_ host: String) -> String { Printable.ascii(host, atMost: 80) }

    static func words(_ names: Set<String>) -> String {
        let shown = names.sorted().prefix(5).joined(separator: ", ")
        return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
    }
}

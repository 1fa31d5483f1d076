// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts
internal import HomingWire

/// The way to a page in another language: the names of a few that are likely to be the reader's, and a list of all, which
/// is a page of its own.
package struct LanguageChoice: Sendable {
    /// The page without its language: a path, and the parameters of its link.
    private let path: String
    private let parameters: [(name: String, value: String)]
    /// All languages of the page, in their order.
    private let offered: [Language]
    /// Those that are named at once.
    private let near: [Language]
    private let isList: Bool

    /// So many are named without a list.
    private static let few = 7

    /// The parameter that asks for the list.
    package static let name = "languages"

    /// - Parameters:
    ///   - offered: all languages of the page, in their order.
    ///   - likely: those that the reader may want, such as the ones that the browser names.
    ///   - isList: whether the list was asked for.
    package init(
        path: String, parameters: [(name: String, value: String)], offered: [Language], likely: [Language],
        current: Language, isList: Bool = false
    ) {
        self.path = path
        self.parameters = parameters.filter { !$0.value.isEmpty }
        self.offered = offered
        self.isList = isList && offered.count > Self.few
        guard offered.count > Self.few else {
            near = offered
            return
        }
        // Somebody who reads one form of a language may read another one.
        let siblings = offered.filter { $0.primary == current.primary }
        var named: [Language] = []
        for language in [current] + likely + siblings
        where named.count < Self.few && offered.contains(language) && !named.contains(language) {
            named.append(language)
        }
        near = offered.filter(named.contains)
    }

    /// What stands below a page.
    func html(in frame: PageFrame) -> HTML {
        let text = frame.text.shared
        var items = near.map { item($0, in: frame) }
        if near.count < offered.count {
            let list = href(frame.language, [(Self.name, "all")])
            // Its sign is for somebody who reads nothing of the page.
            items.append("<li><a href=\"\(list)\" class=\"more\">\(Icon.globe.html)\(text.moreLanguages)</a></li>")
        }
        return isList ? "" : "<nav aria-label=\"\(text.languages)\"><ul>\(items)</ul></nav>"
    }

    /// The list, where it was asked for in the place of a page.
    package var list: (any PageView)? { isList ? LanguagesView(choice: self) : nil }

    fileprivate func items(in frame: PageFrame) -> [HTML] { offered.map { item($0, in: frame) } }

    private func item(_ language: Language, in frame: PageFrame) -> HTML {
        let name = "lang=\"\(language.tag)\" dir=\"\(language.direction.rawValue)\"" as HTML
        return language == frame.language && !isList
            ? "<li><span \(name) aria-current=\"true\">\(language.name)</span></li>"
            : "<li><a href=\"\(href(language))\" hreflang=\"\(language.tag)\" \(name)>\(language.name)</a></li>"
    }

    private func href(_ language: Language, _ more: [(name: String, value: String)] = []) -> String {
        let query = (parameters + [("lang", language.tag)] + more).map { "\($0.name)=\(percentEncoded($0.value))" }
        return "\(path)?\(query.joined(separator: "&"))"
    }
}

/// All languages of a page. Each leads back to it.
private struct LanguagesView: PageView {
    let choice: LanguageChoice

    func title(in frame: PageFrame) -> String { frame.text.shared.languages }

    func body(in frame: PageFrame) -> HTML {
        """
        \(Heading(.globe, title: frame.text.shared.languages).html)\
        <nav class="languages" aria-label="\(frame.text.shared.languages)"><ul>\(choice.items(in: frame))</ul></nav>
        """
    }

    var isWide: Bool { true }
}

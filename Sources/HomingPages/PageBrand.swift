// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingStore
import HomingTexts

/// What a project's brand adds to its pages; pages of a project without one are the same as ever.
package struct PageBrand: Sendable {
    /// The path of the logo; nil where the app's first letter stands for it.
    let logo: String?
    /// Below the page: where help is, and the postal line.
    let support: String?
    let postalLine: String?
    /// The project's shades in place of ours, and the look of what only a brand has.
    let style: InlineSource

    /// - Returns: nil where the project has no brand.
    package init?(_ project: Project?) {
        guard let project, !project.brand.isEmpty else { return nil }
        let brand = project.brand
        logo = brand.logo.map { Self.path(of: $0, project.projectID) }
        support = brand.supportAddress?.text
        postalLine = brand.postalLine
        style = InlineSource((brand.shades.map(Self.declarations) ?? "") + Self.rules)
    }

    /// Behind it stands the project's id.
    package static let logoPath = "/__/logo"

    /// The path with a name for these very bytes: another logo is another URL, so that no browser shows an old one.
    package static func path(of logo: Logo, _ project: ProjectID) -> String {
        "\(logoPath)/\(project)?v=\(logo.digest)"
    }

    private static func declarations(_ shades: BrandShades) -> String {
        func declarations(_ shades: BrandShades.Mode) -> String {
            "--accent:\(shades.accent.text);--press:\(shades.press.text);--on:\(shades.on.text);"
                + "--tint:\(shades.tint.text);--glow:\(shades.glow.text)"
        }
        return ":root{\(declarations(shades.day))}"
            + "@media (prefers-color-scheme:dark){:root{\(declarations(shades.night))}}\n"
    }

    private static let rules = """
        .logo{display:block;max-width:200px;height:40px;object-fit:contain;object-position:left}
        [dir=rtl] .logo{object-position:right}
        footer{flex-direction:column;align-items:center;justify-content:flex-end}
        .contact{margin:0 0 8px;font-size:13px;text-align:center}
        .contact a{display:inline-flex;align-items:center;min-height:44px}
        """

    func mark(_ first: Character) -> HTML {
        guard let logo else { return Layout.mark(first) }
        return "<img class=\"logo\" src=\"\(logo)\" alt=\"\">"
    }

    var contact: HTML {
        let lines = [
            support.map { "<a href=\"mailto:\($0)\">\($0)</a>" as HTML }, postalLine.map { HTML(escaping: $0) },
        ].compactMap(\.self)
        guard !lines.isEmpty else { return "" }
        return "<p class=\"contact\">\(lines.dropFirst().reduce(lines[0]) { whole, line in "\(whole)<br>\(line)" })</p>"
    }
}

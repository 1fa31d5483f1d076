// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The console's own signs, drawn as lines in the colour of the text beside them. Each one decorates words that say the
/// same, so that nobody has to know it.
package enum ConsoleIcon: CaseIterable, Sendable {
    case overview, domains, apps, linkDomains, links, signIn, templates, brand, mail, accounts, keys
    case projects, operators, audit
    case search, copy, plus, edit, trash, check, warning, info, external, phone, desktop, moon
    case upload, download, person, back, next, choose, menu, close, chart, refresh, clock, signOut, code, webhook
    case image, text, star

    /// 20 pixels wide and high unless the style sheet says otherwise.
    package var html: HTML {
        "<svg class=\"icon\" viewBox=\"0 0 20 20\" width=\"20\" height=\"20\" aria-hidden=\"true\"><path d=\"\(path)\"/></svg>"
    }

    /// The lines, in a square of 20 by 20 (SVG 2, section 9.3).
    private var path: String {
        switch self {
        case .overview: "M3 3h5.5v7H3zM11.5 3H17v4h-5.5zM11.5 10H17v7h-5.5zM3 13h5.5v4H3z"
        case .domains: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM3 10h14M10 3c4 4 4 10 0 14M10 3c-4 4-4 10 0 14"
        case .apps: "M3.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5zM14 2.7 17.3 6 14 9.3 10.7 6z"
        case .linkDomains: "M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.01M6 13.5h.01M9 6.5h5M9 13.5h5"
        case .links:
            "M8.4 11.6a3.2 3.2 0 0 0 4.6 0l2.7-2.7a3.2 3.2 0 0 0-4.6-4.6l-1 1M11.6 8.4a3.2 3.2 0 0 0-4.6 0"
                + "l-2.7 2.7a3.2 3.2 0 0 0 4.6 4.6l1-1"
        case .signIn: "M11 3.5h5.5v13H11M3 10h9M9 7l3 3-3 3"
        case .templates: "M4.5 2.5H12l3.5 3.5v11.5h-11zM12 2.5V6h3.5M7.5 10h5M7.5 13.5h5"
        case .brand:
            "M10 2.5c3.5 3.5 5.2 6.2 5.2 8.8a5.2 5.2 0 0 1-10.4 0c0-2.6 1.7-5.3 5.2-8.8zM7.5 11.5A2.5 2.5 0 0 0 10 "
                + "14"
        case .mail: "M2.5 4.5h15v11h-15zM3 5.5l7 5.5 7-5.5"
        case .accounts:
            "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c.4-3 2.5-4.5 5.5-4.5s5.1 1.5 5.5 4.5M13 3.7a3 3 0 0 1 0 5.6M15 "
                + "12.4c1.8.6 2.8 2 3 4.1"
        case .keys: "M6.5 17a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM9 11l7.5-7.5M13 7l2.5 2.5"
        case .projects: "M2.5 15.5v-11h5l2 2.5h8v8.5z"
        case .operators: "M10 2.5l6.5 2.2v4.8c0 3.6-2.6 6.5-6.5 8-3.9-1.5-6.5-4.4-6.5-8V4.7zM7.3 10l2 2 3.5-4"
        case .audit: "M10 6v4.3l3 1.7M3.5 10a6.5 6.5 0 1 0 2-4.7l-2 2M3.5 3.5v3.8h3.8"
        case .search: "M8.8 14.3a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.8 12.8 17 17"
        case .copy: "M7 7h9.5v9.5H7zM4.5 13h-1V3.5H13v1"
        case .plus: "M10 4v12M4 10h12"
        case .edit: "M12.5 4.5l3 3L7 16l-4 1 1-4zM10.5 6.5l3 3"
        case .trash: "M3.5 5.5h13M8 5.5v-2h4v2M5 5.5l.8 11h8.4l.8-11M8.5 9v4.5M11.5 9v4.5"
        case .check: "M4 10.5l4 4 8-9"
        case .warning: "M10 3l7.5 13.5h-15zM10 8v4M10 14.3h.01"
        case .info: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 9v5M10 6.3h.01"
        case .external: "M8 4.5H4V16h11.5v-4M11.5 3.5h5v5M16.5 3.5 9.5 10.5"
        case .phone: "M6 2.5h8v15H6zM9 14.8h2"
        case .desktop: "M2.5 3.5h15v10h-15zM6.5 17h7M10 13.5V17"
        case .moon: "M16.5 11.8A7 7 0 1 1 8.2 3.5a5.6 5.6 0 0 0 8.3 8.3z"
        case .upload: "M10 13V3.5M6 7.5l4-4 4 4M3.5 13v3.5h13V13"
        case .download: "M10 3.5V13M6 9l4 4 4-4M3.5 13v3.5h13V13"
        case .person: "M10 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3.5 17c.5-3.4 3-5 6.5-5s6 1.6 6.5 5"
        case .back: "M12 4.5 6.5 10l5.5 5.5"
        case .next: "M8 4.5 13.5 10 8 15.5"
        case .choose: "M6.5 8 10 4.5 13.5 8M6.5 12l3.5 3.5 3.5-3.5"
        case .menu: "M3 5.5h14M3 10h14M3 14.5h14"
        case .close: "M5 5l10 10M15 5 5 15"
        case .chart: "M3 17h14M5.5 17V9.5M10 17V4M14.5 17v-5"
        case .refresh: "M16.5 10a6.5 6.5 0 1 1-2-4.7l2 2M16.5 3.5v3.8h-3.8"
        case .clock: "M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM10 5.5V10l3 2"
        case .signOut: "M9 3.5H3.5v13H9M8 10h9M14 7l3 3-3 3"
        case .code: "M6.5 6l-4 4 4 4M13.5 6l4 4-4 4"
        case .webhook: "M3 10h4l2-5 3 10 2-5h3"
        case .image: "M2.5 3.5h15v13h-15zM3 14l4-4 3 3 3-4 4 4.5M7 7.2h.01"
        case .text: "M4 5.5v-2h12v2M10 3.5v13M7.5 16.5h5"
        case .star: "M10 2.8l2.2 4.6 5 .7-3.6 3.5.9 5L10 14.2l-4.5 2.4.9-5L2.8 8.1l5-.7z"
        }
    }
}

extension ConsoleSection {
    /// Beside the section's name in the navigation, and where it is empty.
    var icon: ConsoleIcon {
        switch self {
        case .overview: .overview
        case .domains: .domains
        case .apps: .apps
        case .linkDomains: .linkDomains
        case .links: .links
        case .signIn: .signIn
        case .templates: .templates
        case .brand: .brand
        case .mail: .mail
        case .accounts: .accounts
        case .keys: .keys
        case .projects: .projects
        case .operators: .operators
        case .audit: .audit
        }
    }
}

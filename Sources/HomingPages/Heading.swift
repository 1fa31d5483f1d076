// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingTexts

/// The beginning of a page: an icon that people understand before they read a word, and the heading.
struct Heading {
    let icon: Icon
    let tone: Tone
    let title: String

    init(_ icon: Icon, _ tone: Tone = .calm, title: String) {
        self.icon = icon
        self.tone = tone
        self.title = title
    }

    /// The mood of a page. The colour never tells anything that the words do not.
    enum Tone: String {
        case calm
        case good
        case warning
    }

    var html: HTML {
        "<div class=\"sign \(tone.rawValue)\">\(icon.html)</div>\n<h1>\(title)</h1>\n"
    }
}

/// A paragraph of a page.
enum Paragraph {
    static func html(_ content: HTML) -> HTML { "<p>\(content)</p>\n" }
    static func note(_ content: HTML) -> HTML { "<p class=\"note\">\(content)</p>\n" }

    /// What is wrong with a form, to which its field refers.
    static func problem(_ sentence: String) -> HTML {
        "<p class=\"problem\" id=\"problem\" role=\"alert\">\(sentence)</p>\n"
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// How the letters of a script are set: the faces that systems have for it, and the room that its letters need.
///
/// A face of a script comes behind those for Latin letters, so that an address looks the same in every language. Japanese
/// and both ways of Chinese share characters that are drawn differently: only the face of the language itself is named.
package struct Typeface: Sendable {
    /// The faces of Apple, of Windows and of Linux, as CSS writes them.
    package let families: String
    /// The height of a line of a sentence, in parts of the size of its letters.
    package let lineHeight: String
    /// The same of a heading.
    package let headingHeight: String
    /// Where a line may end inside a word, as CSS writes it.
    package let wordBreak: String

    private init(
        _ families: String, _ lineHeight: String = "1.6", heading: String = "1.3", wordBreak: String = "normal"
    ) {
        self.families = families
        self.lineHeight = lineHeight
        headingHeight = heading
        self.wordBreak = wordBreak
    }

    /// The script of most languages, which is what is said nothing about.
    package static let latin = Typeface("'Noto Sans'")

    /// - Parameter tag: any language, ours or not.
    package static func of(_ tag: String) -> Typeface {
        byScript[Language.script(of: tag) ?? ""] ?? latin
    }

    /// The scripts beside Latin, Greek and Cyrillic. Letters with marks above and below them get more room.
    private static let byScript: [String: Typeface] = [
        "Arab": Typeface("'SF Arabic','Geeza Pro',Tahoma,'Noto Sans Arabic'", "1.8", heading: "1.5"),
        "Armn": Typeface("Mshtakan,Sylfaen,'Noto Sans Armenian'"),
        "Beng": Typeface("'Kohinoor Bangla','Nirmala UI','Noto Sans Bengali'", "1.75", heading: "1.45"),
        "Deva": Typeface("'Kohinoor Devanagari','Nirmala UI','Noto Sans Devanagari'", "1.75", heading: "1.45"),
        "Ethi": Typeface("Kefa,Ebrima,'Noto Sans Ethiopic'", "1.7", heading: "1.4"),
        "Geor": Typeface("Sylfaen,'Noto Sans Georgian'"),
        "Gujr": Typeface("'Kohinoor Gujarati','Nirmala UI','Noto Sans Gujarati'", "1.75", heading: "1.45"),
        "Guru": Typeface("'Mukta Mahee','Nirmala UI','Noto Sans Gurmukhi'", "1.75", heading: "1.45"),
        "Hans": Typeface("'PingFang SC','Microsoft YaHei','Noto Sans CJK SC'", "1.7"),
        "Hant": Typeface("'PingFang TC','PingFang HK','Microsoft JhengHei','Noto Sans CJK TC'", "1.7"),
        "Hebr": Typeface("'SF Hebrew','Arial Hebrew','Segoe UI','Noto Sans Hebrew'"),
        "Jpan": Typeface("'Hiragino Sans','Yu Gothic UI',Meiryo,'Noto Sans CJK JP'", "1.7", heading: "1.4"),
        "Khmr": Typeface("'Khmer Sangam MN','Leelawadee UI','Noto Sans Khmer'", "1.95", heading: "1.65"),
        "Knda": Typeface("'Noto Sans Kannada','Nirmala UI'", "1.75", heading: "1.45"),
        // Korean has spaces between its words, and breaks lines there.
        "Kore": Typeface(
            "'Apple SD Gothic Neo','Malgun Gothic','Noto Sans CJK KR'", "1.7", heading: "1.4", wordBreak: "keep-all"),
        "Laoo": Typeface("'Lao Sangam MN','Leelawadee UI','Noto Sans Lao'", "1.8", heading: "1.5"),
        "Mlym": Typeface("'Malayalam Sangam MN','Nirmala UI','Noto Sans Malayalam'", "1.75", heading: "1.45"),
        "Mymr": Typeface("'Noto Sans Myanmar','Myanmar Text'", "2", heading: "1.7"),
        "Orya": Typeface("'Noto Sans Oriya','Nirmala UI'", "1.8", heading: "1.5"),
        "Sinh": Typeface("'Sinhala Sangam MN','Nirmala UI','Noto Sans Sinhala'", "1.75", heading: "1.45"),
        "Taml": Typeface("'Tamil Sangam MN','Nirmala UI','Noto Sans Tamil'", "1.75", heading: "1.45"),
        "Telu": Typeface("'Kohinoor Telugu','Nirmala UI','Noto Sans Telugu'", "1.75", heading: "1.45"),
        "Thai": Typeface("Thonburi,'Leelawadee UI','Noto Sans Thai'", "1.8", heading: "1.5"),
    ]

    /// The variables that a style sheet sets letters with.
    ///
    /// - Parameter tightness: the distance between the letters of a heading. Letters that join or carry marks are never
    ///   drawn apart or together.
    private func style(tightness: String) -> String {
        "--letters:\(families);--leading:\(lineHeight);--heading:\(headingHeight);--tight:\(tightness)"
    }

    /// The rules of pages in Latin letters, which hold where a script has none of its own.
    package static let standardStyle = ":root{\(Typeface("'Noto Sans'", heading: "1.25").style(tightness: "-.012em"))}"

    /// The rules of a page in any of the other scripts, by its name.
    package static let styles = Dictionary(
        uniqueKeysWithValues: byScript.map { script, face in
            (script, ":root{\(face.style(tightness: "0"));word-break:\(face.wordBreak)}")
        })
}

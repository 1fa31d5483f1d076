// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// The beginning of a text from the author of a link.
///
/// Cut by Unicode scalars, because one `Character` may hold any number of combining marks.
enum Excerpt {
    /// - Parameter length: in Unicode scalars; a text that was cut ends with an ellipsis.
    /// - Returns: nil for a text that is missing or blank.
    static func of(_ text: String?, length: Int) -> String? {
        guard let text else { return nil }
        var scalars = String.UnicodeScalarView()
        var isCut = false
        for scalar in text.unicodeScalars.drop(while: isBlank) {
            guard scalars.count < length else {
                isCut = true
                break
            }
            scalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        guard !scalars.isEmpty else { return nil }
        return String(scalars) + (isCut ? "…" : "")
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
    }
}

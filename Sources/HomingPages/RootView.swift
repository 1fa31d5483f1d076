// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Tells a visitor of the bare host which program runs here: neither which version, nor for whom.
package struct RootView: PageView {
    package init() {}

    package func title(in frame: PageFrame) -> String { frame.text.root.title }

    package func body(in frame: PageFrame) -> HTML {
        let message = frame.text.root
        return """
            \(Heading(.door, title: message.title).html)\
            \(Paragraph.html(HTML(escaping: message.sentence)))
            """
    }
}

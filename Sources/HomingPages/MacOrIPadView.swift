// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// The page for a Safari that calls itself a Mac and may be an iPad, which only the device can tell.
///
/// The script of `Layout` counts touch points: an iPad stays and shows the app's page, a Mac goes on to the desktop's
/// URL. Without scripts the person chooses.
package struct MacOrIPadView: PageView {
    /// The page for an iPad.
    package var iPad: OpenAppView

    /// The target for a Mac: a web URL, or else nobody is sent anywhere.
    package var desktopHref: String

    package init(iPad: OpenAppView, desktopHref: String) {
        self.iPad = iPad
        self.desktopHref = desktopHref
    }

    package func title(in frame: PageFrame) -> String { iPad.title(in: frame) }

    package var head: HTML { iPad.head }

    package func body(in frame: PageFrame) -> HTML {
        guard let desktop = ContinueLink(desktopHref) else { return iPad.body(in: frame) }
        // The same URL is not offered twice.
        let isOffered = iPad.otherwise.map { $0.href.utf8.elementsEqual(desktopHref.utf8) } ?? false
        let link = desktop.html(
            frame.text.link.open.computerButton, in: frame, emphasis: .secondary, describedBy: "desktop-leads-to")
        return """
            \(iPad.body(in: frame))
            <div data-desktop="\(desktopHref)">\(isOffered ? "" : link)</div>
            """
    }
}

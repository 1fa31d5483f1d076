// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingTexts

/// Tells why there is no page to show.
package struct ProblemView: PageView {
    package enum Reason: Sendable, CaseIterable {
        case tooManyAttempts
        /// The API key is missing or belongs to nobody.
        case unknownApp
        case notFound
        case serverFault
    }

    package var reason: Reason

    package init(reason: Reason) {
        self.reason = reason
    }

    package func title(in frame: PageFrame) -> String { message(frame.text.problem).title }

    package func body(in frame: PageFrame) -> HTML {
        let message = message(frame.text.problem)
        return """
            \(Heading(icon, .warning, title: message.title).html)\
            \(Paragraph.html(HTML(escaping: message.sentence)))
            """
    }

    private var icon: Icon {
        switch reason {
        case .tooManyAttempts: .clock
        case .unknownApp, .notFound: .brokenLink
        case .serverFault: .alert
        }
    }

    private func message(_ text: PageText.Problem) -> PageText.Message {
        switch reason {
        case .tooManyAttempts: text.tooManyAttempts
        case .unknownApp: text.unknownApp
        case .notFound: text.notFound
        case .serverFault: text.serverFault
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingCore
internal import HomingTexts

/// When a request was made, by which kind of device and from which network, for whoever has to say whether that was they.
package struct AskedFacts: Sendable {
    package var asked: AskedFrom?
    /// Since the request.
    package var secondsAgo: Int

    package init(_ asked: AskedFrom?, secondsAgo: Int) {
        self.asked = asked
        self.secondsAgo = secondsAgo
    }

    func html(_ frame: PageFrame) -> HTML {
        let texts = frame.texts
        let text = frame.text.number
        let device = asked?.device.map { texts.device(browser: $0.browser?.rawValue, system: $0.system.rawValue) }
        let facts = [
            (text.when, texts.ago(seconds: secondsAgo)), (text.device, device), (text.network, asked?.network),
        ]
        return """
            <h2 id="asked">\(text.asked)</h2>
            <dl class="change" aria-labelledby="asked">\
            \(facts.map { name, fact in fact.map { "<div><dt>\(name)</dt><dd>\($0)</dd></div>" as HTML } ?? "" })</dl>

            """
    }
}

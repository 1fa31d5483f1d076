// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts

/// The first lines of code against a project, in each language, with its own key and address: an app is told of the
/// server, and mails a reset.
struct SetupSnippets {
    private let url: String
    private let key: String
    private let webLines: String
    /// Where people are to come back to.
    private let continueURL: String

    init(_ project: Project, _ context: ConsoleContext) {
        url = context.homing.publicURL
        key = project.linkKey
        webLines = AppConfiguration(ofWebPagesIn: project, publicURL: url).parts.map(\.text).joined(separator: "\n")
        let host = project.authorizedDomains.map(\.text).first { !$0.utf8.contains(UInt8(ascii: "*")) }
        continueURL = "https://\(host ?? "www.example.com")/"
    }

    /// Tabs without a script: a choice of one, by arrow keys, shows what stands behind its label.
    var html: HTML {
        let tabs = [("Swift", swift), ("JavaScript", javaScript), ("Android and REST", rest), ("curl", curl)]
        let items = tabs.enumerated().map { index, tab -> HTML in
            let id = "snippet-\(index)"
            return """
                <input type="radio" name="snippet" id="\(id)"\(index == 0 ? " checked" as HTML : "")>\
                <label for="\(id)">\(tab.0)</label><div>\(tab.1)</div>
                """
        }
        return """
            <section><h2>Setup snippets</h2>
            <p>API key <code>\(key)</code> \(CopyButton(key, "the API key").html) at <code>\(url)</code></p>
            <div class="tabs" role="group" aria-label="Language">\(HTML(joining: items))</div></section>
            """
    }

    private var swift: HTML {
        """
        <p>Add the package's product <code>HomingAuth</code> in Xcode, then once at the start:</p>
        \(ConsoleLines(
            "Swift", """
            import HomingAuth

            HomingApp.configure(endpoint: URL(string: "\(url)")!, apiKey: "\(key)")

            let settings = ActionCodeSettings()
            settings.url = URL(string: "\(continueURL)")
            try await Auth.auth().sendPasswordReset(withEmail: "you@example.com", actionCodeSettings: settings)
            """).html)
        """
    }

    private var javaScript: HTML {
        """
        <p>The module comes from this server:</p>
        \(ConsoleLines(
            "JavaScript", """
            \(webLines)
            await homing.sendPasswordResetEmail("you@example.com", { url: "\(continueURL)" })
            """).html)
        """
    }

    private var rest: HTML {
        """
        <p>For development, Firebase's SDK on Android speaks to this server by
        <code>useEmulator(host, port)</code>; in production the app calls the REST operations:</p>
        \(ConsoleLines(
            "REST", """
            POST \(url)/v1/accounts:sendOobCode?key=\(key)
            Content-Type: application/json

            {"requestType":"PASSWORD_RESET","email":"you@example.com","continueUrl":"\(continueURL)"}
            """).html)
        """
    }

    private var curl: HTML {
        """
        <p>An email for somebody who has an account:</p>
        \(ConsoleLines(
            "curl", """
            curl '\(url)/v1/accounts:sendOobCode?key=\(key)' \\
              -H 'Content-Type: application/json' \\
              -d '{"requestType":"PASSWORD_RESET","email":"you@example.com","continueUrl":"\(continueURL)"}'
            """).html)
        """
    }
}

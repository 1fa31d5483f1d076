// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingProjects
import HomingTexts

/// The setup snippets of an app or of web pages, as `homing app config` prints them.
struct AppLines {
    let configuration: AppConfiguration

    init(_ configuration: AppConfiguration) { self.configuration = configuration }

    var html: HTML {
        HTML(
            joining: configuration.parts.map { part in
                "<h3>\(part.name), \(part.place)</h3>\(ConsoleLines(part.name, part.text).html)"
            })
    }
}

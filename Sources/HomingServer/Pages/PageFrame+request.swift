// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingPages
import HomingProjects
import HomingTexts
import Hummingbird

extension PageFrame {
    /// The frame of a page in the language of the browser, else of the project.
    init(_ request: Request, of project: Project?) {
        let offered = project?.settings.offeredLanguages
        let language =
            request.headers[.acceptLanguage].flatMap { Language.best(acceptLanguage: $0, among: offered) }
            ?? project.flatMap { Language(tag: $0.settings.language) } ?? .english
        self.init(
            appName: project?.name, language: language, texts: project?.texts.texts(in: language),
            brand: PageBrand(project))
    }
}

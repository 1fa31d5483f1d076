// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package import HomingProjects
package import HomingTexts

/// The words of a message: the project's template where it has one in the person's language, else ours.
package struct LetterVoice: Sendable {
    package let template: TemplateVersion?
    /// The language of our own words, which a template needs where it says nothing itself.
    package let language: Language
    /// Our own words, and the project's own in the place of some.
    package let texts: Texts

    /// The language tag of the message: the template's where the template has the body.
    package var tag: String {
        guard let version = template, let words = version.template, words[.text] != nil || words[.html] != nil else {
            return language.tag
        }
        return version.language
    }

    package init(template: TemplateVersion?, language: Language, texts: OwnTexts? = nil) {
        self.template = template
        self.language = language
        self.texts = texts?.texts(in: language) ?? Texts.of(language)
    }

    /// The same without the template: our own words, and the project's sentences.
    var withoutTemplate: LetterVoice { LetterVoice(language: language, texts: texts) }

    private init(language: Language, texts: Texts) {
        template = nil
        self.language = language
        self.texts = texts
    }

    /// The person's language comes first, whoever wrote the words; then the project's.
    ///
    /// - Parameter left: the language of a template that is passed over, as if it were not there.
    package init(_ kind: MailKind, in project: Project, for tag: String, leavingOut left: String? = nil) {
        let standard = Language(tag: project.settings.language) ?? .english
        for tag in [tag, project.settings.language].compactMap({ LanguageTag(parsing: $0) }) {
            if let template = project.templates.match(kind, for: tag, leavingOut: left) {
                self.init(
                    template: template, language: Language(tag: template.language) ?? standard, texts: project.texts)
                return
            }
            if let language = Language(tag, among: project.settings.offeredLanguages) {
                self.init(template: nil, language: language, texts: project.texts)
                return
            }
        }
        self.init(template: nil, language: standard, texts: project.texts)
    }
}

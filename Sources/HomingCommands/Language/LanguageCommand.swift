// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingTexts
import HomingWire

/// `homing language …`: what Homing's own words are in.
struct LanguageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "language", abstract: "The languages of Homing's own emails and pages.",
        discussion: "EXAMPLE\n  homing language list", subcommands: [LanguageList.self])
}

struct LanguageList: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the languages, and who has read each.",
        discussion: """
            REVIEW is `machine` where nobody who speaks the language has read its sentences yet, `reviewed` where somebody \
            has, and `native` where they were written by somebody who grew up with it. A project offers all of them, or \
            those of its setting notification.languages.

            EXAMPLE
              homing language list --json
            """)

    @OptionGroup var format: TableOutputOptions

    func answer() -> CommandAnswer {
        let languages = Language.allCases.sorted { $0.tag.utf8.lexicographicallyPrecedes($1.tag.utf8) }
        var output = CommandOutput()
        output.answer(
            format,
            json: .array(
                languages.map {
                    [
                        "tag": .string($0.tag), "name": .string($0.name),
                        "direction": .string($0.direction.rawValue), "review": .string($0.facts.review.rawValue),
                        "complete": .bool($0.facts.isComplete),
                    ]
                }),
            rows: [["TAG", "NAME", "DIRECTION", "REVIEW", "COMPLETE"]]
                + languages.map {
                    [
                        $0.tag, $0.name, $0.direction.rawValue, $0.facts.review.rawValue,
                        $0.facts.isComplete ? "yes" : "no",
                    ]
                },
            empty: "")
        return output.answer()
    }
}

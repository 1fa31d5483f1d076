// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation

/// What was typed behind the program's name.
struct Options {
    /// The newsletter's site.
    var site = "http://localhost:8099"
    /// Where the session and the last known settings are kept.
    var folder: String?
    /// The language of mails, a BCP 47 tag.
    var language: String?
    var wantsHelp = false

    struct Mistake: Error {
        let words: String
    }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            func value() throws(Mistake) -> String {
                guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                    throw Mistake(words: "\(name) needs a value")
                }
                return value
            }
            switch name {
            case "--site":
                site = try value()
                guard URL(string: site)?.host != nil else {
                    throw Mistake(words: "--site needs a URL such as http://localhost:8099, not \(site)")
                }
            case "--folder": folder = try value()
            case "--language": language = try value()
            case "--help", "-h": wantsHelp = true
            default: throw Mistake(words: "there is no option \(name)")
            }
        }
    }

    static let usage = """
        Lighthouse Letters in a terminal: a newsletter whose readers sign in with Homing.

        usage: newsletter [--site URL] [--folder PATH] [--language TAG]

          --site URL       the newsletter, as `scripts/demo` prints it (http://localhost:8099)
          --folder PATH    where you stay signed in (your folder for application data)
          --language TAG   the language of mails, such as es or pt-BR (this computer's)

        Example, with `scripts/demo` running in another terminal:

          newsletter
          1          choose a plan, create an account, be asked to verify your address; open the mail's link in the
                     demo's mailbox, press the button, and paste where Continue leads: you are back at your plan

        At every question: `back` goes back to the start, `quit` ends.
        """
}

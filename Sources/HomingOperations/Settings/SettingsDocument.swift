// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingPasswords
import HomingProjects
import HomingStore
import HomingTexts

/// Writes docs/configuration.md from the tables of settings, those of the server and those of projects, so that they
/// cannot differ.
package enum SettingsDocument {
    package static var markdown: String {
        let general = Setting.all.filter { !isLimit($0) }
        let limits = Setting.all.filter(isLimit)
        let live = general.filter(\.isLive).map { "`\($0.key)`" }.joined(separator: ", ")
        let fixed = limits.filter { !$0.isLive }.map { "`\($0.key)`" }.joined(separator: ", ")
        return """
            # Configuration

            Every setting can be given in three ways. The first that has it wins:

            1. a flag of the command, `--listen 127.0.0.1:9099`
            2. an environment variable, `HOMING_LISTEN=127.0.0.1:9099`
            3. `homing.yaml`: the file named with `--config PATH`, else `/etc/homing/homing.yaml` for root and
               `$XDG_CONFIG_HOME/homing/homing.yaml` (`~/.config/homing/homing.yaml`) for others, if it is there

            else the default holds. A flag is the variable in lower case with hyphens and without `HOMING_`: `HOMING_MAIL_URL`
            is `--mail-url`. Passwords belong into the file or the environment: everybody on the machine can read flags.

            An unknown key, an unknown variable that begins with `HOMING_`, an empty value or a bad one stops the start with
            one line that names the key, the value and what is accepted. (`HOMING_SERVICE_…` and `HOMING_PORT…`, which
            Kubernetes sets for a service of that name, are left alone.) `homing config` prints what is in force and where
            it came from, secrets masked; `--json` for machines.

            A running server reads them again at `homing reload`, or SIGHUP. Of what has changed,

            - in force at once are \(live), and the limits;
            - a restart need the others, \(fixed), and `mail.url` between a relay, a provider, `mailbox:` and `none`. They are named.

            ```yaml
            listen: 0.0.0.0:443
            publicURL: https://auth.example.com
            mail:
              url: smtp://apikey:secret@smtp.example.net:587?tls=required
              from: Example <noreply@example.com>
            tls:
              certificate: /etc/homing/tls/fullchain.pem
              key: /etc/homing/tls/privkey.pem
            trustedProxies: [10.0.0.0/8, 2001:db8::/32]
            limits:
              mailPerAddressHour: 10
            ```

            ## Settings

            | key in `homing.yaml` | environment | default | meaning |
            |---|---|---|---|
            \(general.map(row).joined(separator: "\n"))

            ## Limits

            `0` switches a limit off. Recovery emails are never limited, and neither are notices to an address that is
            verified; admin calls with `returnOobLink` are not counted. The first email of each kind goes to an address in
            every hour, whatever else was asked for there.

            | key in `homing.yaml` | environment | default | meaning |
            |---|---|---|---|
            \(limits.map(row).joined(separator: "\n"))

            **How `clicksPerIPSecond` was chosen.** Behind one IPv4 address there may be an office of ten thousand people, or
            thousands of phones that a carrier puts there. If ten thousand tap the link of one email within the same minute,
            that is 167 clicks a second; with the page that an iPhone is shown and its pictures, at most three requests
            each, 500. The limit is twice that. What is above it comes from no crowd, and at 1,000 a second one network
            still leaves most of a small server to the others. Where it is not set it is never below
            `requestsPerIPSecond`, and off where that is off. It is no shield against guessing: an ending of four
            characters can be walked through, one of seven or seventeen cannot. Set it higher before a code is shown in a
            stadium. Where no proxy stands in front, `connectionsPerIP` holds as well, and browsers keep a connection for up
            to a minute: raise it with the size of the office. People over a limit see a page in their language that says
            so, with `Retry-After`.

            Whoever stands behind a proxy counts as the proxy until `trustedProxies` names it. A peer that sends
            `X-Forwarded-For` and is not named is said once in the log, and by `homing doctor` (`PROXY_NOT_TRUSTED`).

            ## Settings of a project

            Each project has its own. `homing project set PROJECT NAME VALUE` changes one, `homing project show` prints all; the
            console has them under Sign-in, and a back end in
            [the admin config document](wire.md#the-admin-config-document). A change holds at once, and an empty value goes
            back to the default. The name of the app is `displayName`. Durations are kept in seconds, and the command takes
            `90m`, `72h` and `3d` as well. What is marked *ours* is no member of Firebase's document.

            \(ProjectSetting.Group.allCases.map(projectTable).joined(separator: "\n\n"))

            ### What a tenant can set

            By `homing tenant set PROJECT/TENANT NAME VALUE`. These are a tenant's own switches; `false` is the default.

            | name | meaning |
            |---|---|
            \(ProjectSetting.ofTenants.filter(\.isTenantsOwn).map(tenantRow).joined(separator: "\n"))

            These it can set in the place of its project's, and has its project's otherwise; the rules for passwords as a whole:
            \(ProjectSetting.ofTenants.filter { !$0.isTenantsOwn }.map { "`\($0.name)`" }.joined(separator: ", ")).

            """
    }

    // MARK: Projects

    private static func projectTable(_ group: ProjectSetting.Group) -> String {
        let rows = ProjectSetting.all.filter { $0.group == group }.map { setting in
            let words = setting.seconds == nil ? "" : " (\(setting.words(for: setting.standard)))"
            let standard = setting.standard.isEmpty ? "nothing" : "`\(setting.standard)`\(words)"
            let unit = setting.kind == .number && !group.unit.isEmpty ? "\(group.unit.lowercased()), " : ""
            return "| `\(setting.name)` | \(standard) | \(unit)\(setting.accepts) | \(meaning(of: setting)) |"
                // A new language changes one file of texts, and not this page.
                .replacing("\(Language.count) languages", with: "[these languages](languages.md)")
        }
        return """
            ### \(group.title)

            | name | default | takes | meaning |
            |---|---|---|---|
            \(rows.joined(separator: "\n"))
            """
    }

    private static func tenantRow(_ setting: ProjectSetting) -> String {
        "| `\(setting.name)` | \(meaning(of: setting)) |"
    }

    private static func meaning(of setting: ProjectSetting) -> String {
        [setting.isOurs ? "*Ours.*" : "", "\(setting.meaning).", setting.hint].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    // MARK: The file

    /// A homing.yaml in which every setting is a comment: its meaning, then its key with the default, for the folders
    /// of services.
    package static var example: String {
        var lines = [
            "# Settings of Homing. Take the sign away before a key to set it, and before the word above an indented one.",
            "# `homing config` prints what is in force, `homing reload` puts most changes in force.",
        ]
        let folders = DefaultFolders(environment: [:], isRoot: true, isTerminal: false)
        var sections: [String] = []
        for setting in Setting.all {
            let parts = setting.key.split(separator: ".").map(String.init)
            let own = Array(parts.dropLast())
            lines.append("")
            let shared = zip(own, sections).prefix { $0 == $1 }.count
            for depth in shared..<own.count {
                lines.append("#\(String(repeating: "  ", count: depth))\(own[depth]):")
            }
            sections = own
            let indent = String(repeating: "  ", count: own.count)
            let standard = setting.standard(folders, Settings()) ?? ""
            // What other settings and the machine decide is said in words alone.
            let isSame = setting.standardText == "`\(standard)`"
            let words = [
                setting.meaning, isSame ? "" : "Default: \(setting.standardText).",
                setting.isLive ? "" : "Changed by a restart.",
            ]
            lines += wrapped(words.joined(separator: " "), at: 116 - indent.utf8.count).map { "#\(indent)# \($0)" }
            lines.append("#\(indent)\(parts[parts.count - 1]):" + (isSame ? " \(standard)" : ""))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Lines of at most so many bytes, broken at blanks.
    package static func wrapped(_ text: String, at width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.utf8.count + 1 + word.utf8.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
    }

    private static func row(_ setting: Setting) -> String {
        "| `\(setting.key)` | `\(setting.variable)` | \(setting.standardText) | \(setting.meaning) |"
    }

    private static func isLimit(_ setting: Setting) -> Bool {
        setting.key.utf8.starts(with: "limits.".utf8)
    }
}

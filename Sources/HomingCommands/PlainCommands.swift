// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser

/// `homing completion`.
struct CompletionCommand: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a script that lets a shell complete commands and options.",
        discussion: """
            For good, put it where the shell looks: /etc/bash_completion.d/homing; a folder of zsh's $fpath, as _homing; \
            ~/.config/fish/completions/homing.fish.

            EXAMPLE
              source <(homing completion bash)
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish
    }

    @Argument(help: "bash, zsh or fish.") var shell: Shell

    func answer() -> CommandAnswer {
        let script = HomingCommand.completionScript(for: CompletionShell(rawValue: shell.rawValue) ?? .bash)
        return CommandAnswer(status: 0, output: script.hasSuffix("\n") ? script : script + "\n", errors: "")
    }
}

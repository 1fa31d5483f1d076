// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import Foundation

signal(SIGPIPE, SIG_IGN)
let command: EmulatorCommand
do {
    command = try EmulatorCommand.parse()
} catch {
    guard EmulatorCommand.exitCode(for: error).isSuccess else {
        warn(EmulatorCommand.message(for: error))
        exit(2)
    }
    print(EmulatorCommand.fullMessage(for: error))
    exit(0)
}
do {
    try await command.serve()
} catch {
    warn(ExportFolder.told(error))
    exit(1)
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import Foundation
import HomingCommands

exit(await Program().run(Array(CommandLine.arguments.dropFirst())))

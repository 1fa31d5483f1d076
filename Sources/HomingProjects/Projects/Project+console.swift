// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingStore

extension Project {
    /// The sender of mails to operators, which belong to no project. No project has an empty id.
    package static let console = Project(scope: "", number: "", name: "the Homing console")
}

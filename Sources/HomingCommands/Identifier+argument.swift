// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import ArgumentParser
import HomingStore

extension Identifier {
    package init?(argument: String) { self.init(argument) }
}

extension ProjectID: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .projects }
}

extension TenantID: ExpressibleByArgument {}

extension Scope: ExpressibleByArgument {
    static var defaultCompletionKind: CompletionKind { .projects }
}

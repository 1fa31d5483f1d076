// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingLinkRules

extension Project: LinkOwner {
    package var callbackURI: String? { settings.callbackURI }
}

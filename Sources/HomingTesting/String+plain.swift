// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingTexts

extension String {
    /// A text as people read it: without the marks and elements that keep a direction, with plain spaces.
    package var readPlainly: String {
        Placeholders.withoutIsolates(self).replacing(/<\/?bdi[^>]*>/, with: "")
            .replacing("\u{A0}", with: " ").replacing("\u{202F}", with: " ")
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import SwiftUI

    #if canImport(Combine)
        internal import Combine
    #endif

    /// A flow whose changes SwiftUI sees.
    @MainActor
    final class ObservedFlow: ObservableObject {
        let flow: AuthFlow
        @Published private var changes = 0

        /// What is typed, for controls.
        var fields: AuthFlow.Fields {
            get { flow.fields }
            set { flow.fields = newValue }
        }

        var state: AuthFlow.State { flow.state }
        var words: Words { flow.words }

        init(_ flow: AuthFlow) {
            self.flow = flow
            flow.onChange = { [weak self] in self?.changes += 1 }
        }
    }
#endif

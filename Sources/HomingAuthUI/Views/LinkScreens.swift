// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import Foundation
    internal import HomingAuth
    internal import SwiftUI

    /// The server is asked what a link does.
    struct OpeningScreen: View {
        let observed: ObservedFlow

        var body: some View {
            if observed.state.problem == nil {
                ProgressView().accessibilityLabel(observed.words(.busy)).frame(maxWidth: .infinity)
            } else {
                MainButton(title: observed.words(.tryAgain), observed: observed) { await observed.flow.tryAgain() }
            }
        }
    }

    /// A link does something to an address when the person agrees.
    struct ConfirmScreen: View {
        let observed: ObservedFlow
        let operation: ActionCodeOperation
        let email: String

        var body: some View {
            let words = observed.words
            Heading(title: words(texts.title), sentence: words(texts.sentence, email: email))
            if operation == .verifyAndChangeEmail { Text(email) }
            MainButton(title: words(texts.button), observed: observed) { await observed.flow.confirm() }
        }

        private var texts: (title: Sentence, sentence: Sentence, button: Sentence) {
            switch operation {
            case .verifyAndChangeEmail: (.changeTitle, .changeSentence, .change)
            case .recoverEmail: (.recoverTitle, .recoverSentence, .recover)
            default: (.verifyTitle, .verifySentence, .verify)
            }
        }
    }

    /// A link that another device has asked for: the browser asks for that device's number.
    struct ElsewhereScreen: View {
        let words: Words
        let page: URL?
        @Environment(\.openURL) private var openURL

        var body: some View {
            Heading(title: words(.elsewhereTitle), sentence: words(.elsewhere))
            if let page {
                Button(words(.openBrowser)) { openURL(page) }.buttonStyle(.borderedProminent).controlSize(.large)
            }
        }
    }

    /// The end of something.
    struct MessageScreen: View {
        let observed: ObservedFlow
        let message: AuthFlow.Message

        var body: some View {
            Heading(title: message.title, sentence: message.sentence)
            MainButton(title: observed.words(message.isGood ? .continue : .askAgain), observed: observed) {
                observed.flow.proceed()
            }
        }
    }
#endif

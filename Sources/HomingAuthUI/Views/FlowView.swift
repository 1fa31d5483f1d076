// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import SwiftUI

    /// The screen of a flow.
    struct FlowView: View {
        @ObservedObject var observed: ObservedFlow
        @Environment(\.scenePhase) private var phase

        var body: some View {
            ScrollView {
                VStack(alignment: .leading, spacing: 16) {
                    screen
                    SaidView(state: observed.state)
                }
                .frame(maxWidth: 480, alignment: .leading)
                .padding()
                .frame(maxWidth: .infinity)
            }
            #if os(macOS)
                // A sheet of a Mac is as large as what it shows, and a scroll view shows nothing by itself.
                .frame(minWidth: 360, minHeight: 440)
            #endif
            .environment(\.layoutDirection, observed.words.isRightToLeft ? .rightToLeft : .leftToRight)
            .onChange(of: phase) { phase in
                // Back from the browser, where the address may have been verified.
                if phase == .active { Task { await observed.flow.lookAgain() } }
            }
        }

        @ViewBuilder private var screen: some View {
            switch observed.state.screen {
            case .signIn: SignInScreen(observed: observed)
            case .signUp: SignUpScreen(observed: observed)
            case .forgotten, .signInByEmail, .whichAddress: AddressScreen(observed: observed)
            case .checkMail(let mail): CheckMailScreen(observed: observed, mail: mail)
            case .opening: OpeningScreen(observed: observed)
            case .newPassword(let email): NewPasswordScreen(observed: observed, email: email)
            case .verify: VerifyScreen(observed: observed)
            case .confirm(let operation, let email):
                ConfirmScreen(observed: observed, operation: operation, email: email)
            case .elsewhere(let page): ElsewhereScreen(words: observed.words, page: page)
            case .message(let message): MessageScreen(observed: observed, message: message)
            case .finished: ProgressView().frame(maxWidth: .infinity)
            }
        }
    }

    /// What went well or wrong. VoiceOver goes there when something is wrong.
    private struct SaidView: View {
        let state: AuthFlow.State
        @AccessibilityFocusState private var isFocused: Bool
        @Environment(\.homingFonts) private var fonts

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                if let problem = state.problem {
                    Text(problem).font(fonts.note).foregroundColor(.red).accessibilityFocused($isFocused)
                }
                if let notice = state.notice { Text(notice).font(fonts.note).foregroundColor(.secondary) }
            }
            .onChange(of: state.problem) { problem in isFocused = problem != nil }
        }
    }
#endif

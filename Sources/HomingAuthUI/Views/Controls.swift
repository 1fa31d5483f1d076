// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
    internal import SwiftUI

    #if canImport(UIKit)
        internal import UIKit
    #elseif canImport(AppKit)
        internal import AppKit
    #endif

    /// The heading of a screen, and the sentence below it. VoiceOver begins a new screen there.
    struct Heading: View {
        let title: String
        var sentence: String?
        @Environment(\.homingFonts) private var fonts
        @AccessibilityFocusState private var isFocused: Bool

        var body: some View {
            VStack(alignment: .leading, spacing: 8) {
                Text(title).font(fonts.title).accessibilityAddTraits(.isHeader).accessibilityFocused($isFocused)
                if let sentence { Text(sentence) }
            }
            .onAppear { isFocused = true }
        }
    }

    /// The button of a screen. It rests while the server is asked.
    struct MainButton: View {
        let title: String
        let observed: ObservedFlow
        let action: @MainActor () async -> Void

        var body: some View {
            Button {
                Task { await action() }
            } label: {
                Group {
                    if observed.state.isBusy {
                        ProgressView().accessibilityLabel(observed.words(.busy))
                    } else {
                        Text(title)
                    }
                }
                .frame(maxWidth: .infinity)
            }
            .buttonStyle(.borderedProminent)
            .controlSize(.large)
            .disabled(observed.state.isBusy)
        }
    }

    /// A way to another screen.
    struct OtherButton: View {
        let title: String
        let observed: ObservedFlow
        let action: @MainActor () async -> Void

        var body: some View {
            Button(title) { Task { await action() } }
                .buttonStyle(.borderless)
                .disabled(observed.state.isBusy)
        }
    }

    /// The field for an address.
    struct AddressField: View {
        @ObservedObject var observed: ObservedFlow
        let action: @MainActor () async -> Void

        var body: some View {
            TextField(observed.words(.email), text: $observed.fields.email)
                .disableAutocorrection(true)
                .addressKeyboard()
                .textFieldStyle(.roundedBorder)
                .submitLabel(.go)
                .onSubmit { Task { await action() } }
        }
    }

    /// The field for a password, which can be shown.
    struct PasswordField: View {
        @ObservedObject var observed: ObservedFlow
        let isNew: Bool
        let action: @MainActor () async -> Void
        @State private var isShown = false

        var body: some View {
            HStack {
                Group {
                    if isShown {
                        TextField(label, text: $observed.fields.password).disableAutocorrection(true)
                    } else {
                        SecureField(label, text: $observed.fields.password)
                    }
                }
                .passwordKeyboard(isNew: isNew)
                .textFieldStyle(.roundedBorder)
                .submitLabel(.go)
                .onSubmit { Task { await action() } }
                Button {
                    isShown.toggle()
                } label: {
                    Image(systemName: isShown ? "eye.slash" : "eye")
                }
                .buttonStyle(.borderless)
                .accessibilityLabel(observed.words(.showPassword))
                .accessibilityAddTraits(isShown ? .isSelected : [])
            }
        }

        private var label: String { observed.words(isNew ? .newPassword : .password) }
    }

    extension View {
        /// A Mac has no keyboards to choose from.
        func addressKeyboard() -> some View {
            #if os(macOS)
                textContentType(.username)
            #else
                textContentType(.username).keyboardType(.emailAddress).textInputAutocapitalization(.never)
            #endif
        }

        /// Password managers offer to make a new one, where it is new.
        func passwordKeyboard(isNew: Bool) -> some View {
            #if os(macOS)
                textContentType(.password)
            #else
                textContentType(isNew ? .newPassword : .password).textInputAutocapitalization(.never)
            #endif
        }

        /// The system offers the code of a mail that has just arrived.
        func codeKeyboard() -> some View {
            #if os(macOS)
                textContentType(.oneTimeCode)
            #else
                textContentType(.oneTimeCode).keyboardType(.numberPad)
            #endif
        }
    }
#endif

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HomingCore
import HomingProjects
import HomingStore
import HomingTexts
import HomingWire
import Hummingbird

/// What operators edit of an account: its profile and its custom claims, each in a form of its own.
enum AccountProfile {
    /// An account as it is, and what is to change of it.
    struct Edited {
        let account: Account
        var change = AccountChange()

        init(_ account: Account) {
            self.account = account
        }
    }

    static let claims = AccountText.customAttributes.member

    /// What the field of this name shows of an account.
    private static func text(_ name: String, of account: Account) -> String {
        switch name {
        case "email": account.email?.text ?? ""
        case "emailVerified": String(account.isEmailVerified)
        case claims: readable(account.customAttributes ?? "")
        default:
            AccountText.all.first { $0.member == name }.flatMap { account[keyPath: $0.place] } ?? ""
        }
    }

    /// Claims as a person reads them; what is no JSON as it is.
    private static func readable(_ claims: String) -> String {
        guard let value = try? JSON.parse(Array(claims.utf8)) else { return claims }
        return String(ASCII.trimmed(String(decoding: value.write(), as: UTF8.self)))
    }

    // MARK: The forms

    static func profile(of account: Account) -> ConsoleForm<Edited> {
        ConsoleForm(
            Edited(account), scope: "profile-", remembersSeen: true,
            field(
                "Address", "email", .line("email"), hint: "Another address begins unverified, and ends all sessions."
            ) {
                $0.email = $1.isEmpty ? .clear : .set(try EmailAddress(parsing: $1))
            },
            field("Email is verified", "emailVerified", .check) { $0.isEmailVerified = $1 == "true" },
            text(.displayName, "Name", \.displayName),
            text(.photoURL, "Photo URL", \.photoURL, .line("url")),
            text(
                .phoneNumber, "Phone number", \.phoneNumber, .line("tel"),
                hint: "Such as +4930123456. Nobody signs in with it."))
    }

    static func claims(of account: Account) -> ConsoleForm<Edited> {
        ConsoleForm(
            Edited(account), scope: "claims-", remembersSeen: true,
            field(
                "Custom claims", claims, .area(rows: 8),
                hint: """
                    A JSON object of at most \(CustomClaims.most.grouped) bytes, such as <code>{"admin": true}</code>. ID \
                    tokens carry it from the next refresh on.
                    """
            ) { change, typed in
                do throws(CustomClaims.Fault) {
                    let kept = try CustomClaims.kept(typed)
                    change.customAttributes = kept.isEmpty ? .clear : .set(kept)
                } catch {
                    throw ConsoleFault((error.line.map { "Line \($0): " } ?? "") + error.reason.asSentence)
                }
            })
    }

    private static func field(
        _ label: String, _ name: String, _ input: ConsoleInput, hint: HTML? = nil,
        _ set: @escaping (inout AccountChange, String) throws -> Void
    ) -> ConsoleField<Edited> {
        ConsoleField(
            label: label, name: name, hint: hint, input: input, text: { text(name, of: $0.account) },
            set: { edited, text in try set(&edited.change, text) })
    }

    private static func text(
        _ text: AccountText, _ label: String, _ part: WritableKeyPath<AccountChange, AccountChange.Field<String>?>,
        _ input: ConsoleInput = .line("text"), hint: HTML = "Optional."
    ) -> ConsoleField<Edited> {
        field(label, text.member, input, hint: hint) { change, typed in
            change[keyPath: part] = typed.isEmpty ? .clear : .set(try check(text, typed))
        }
    }

    /// The text as it is kept.
    ///
    /// - Throws: ``ConsoleFault`` of one that cannot be.
    @discardableResult
    static func check(_ text: AccountText, _ typed: String) throws -> String {
        do throws(ImportedAccount.Fault) {
            return try text.checked(typed)
        } catch {
            throw ConsoleFault(error.description.asSentence)
        }
    }

    // MARK: Saving

    /// Saves what a form has changed, unless somebody else has changed the same meanwhile.
    ///
    /// - Returns: whether it is saved; what stands against it is in the form then.
    static func save(_ form: inout ConsoleForm<Edited>, _ sent: SentForm) async throws -> Bool {
        guard try form.take(sent) else { return false }
        let (id, project, seen) = (form.value.account.id, try sent.context.project, form.seen)
        let accounts = sent.homing.accounts
        do {
            _ = try await accounts.change(id, form.value.change, in: project, by: sent.author) { account in
                seen.allSatisfy { text($0.key, of: account).utf8.elementsEqual($0.value.utf8) }
            }
            return true
        } catch Refusal.Code.changedMeanwhile {
            guard let account = try await accounts.find(id: id, in: project) else { throw ConsoleRefusal.notFound }
            form.isOvertaken(
                by: Edited(account),
                """
                Somebody else has changed this account meanwhile. Yours is in the form, and nothing is saved yet: saving \
                again replaces theirs.
                """)
        } catch Refusal.emailExists {
            form.faults["email"] = "Another account has this address."
        } catch Refusal.phoneNumberExists {
            form.faults[AccountText.phoneNumber.member] = "Another account has this number."
        }
        return false
    }
}

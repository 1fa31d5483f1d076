// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Asks the owner of a new address to confirm that an account may move to it.
///
/// It goes to the new address, whose owner may be a stranger: it names neither the old address nor the person.
enum VerifyAndChangeEmail {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Confirm your new email address for %APP_NAME%",
                heading: "Confirm your new email address",
                paragraphs: [
                    "You asked to use %NEW_EMAIL% for your account at %APP_NAME%. The change takes effect only when "
                        + "you confirm it."
                ],
                button: "Confirm new address",
                unasked: "If you didn’t ask for this, you can ignore this email. Nothing will change."
            )
        case .spanish:
            LetterWords(
                subject: "Confirma tu nuevo correo electrónico para %APP_NAME%",
                heading: "Confirma tu nuevo correo electrónico",
                paragraphs: [
                    "Solicitaste usar %NEW_EMAIL% en tu cuenta de %APP_NAME%. El cambio solo se aplicará cuando lo "
                        + "confirmes."
                ],
                button: "Confirmar nuevo correo",
                unasked: "Si no lo solicitaste, puedes ignorar este correo. No cambiará nada."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Confirme o novo e-mail da sua conta %APP_NAME%",
                heading: "Confirme seu novo e-mail",
                paragraphs: [
                    "Você pediu para usar %NEW_EMAIL% na sua conta %APP_NAME%. A alteração só terá efeito "
                        + "depois que você confirmar."
                ],
                button: "Confirmar novo e-mail",
                unasked: "Se você não fez esse pedido, pode ignorar este e-mail. Nada será alterado."
            )
        case .italian:
            LetterWords(
                subject: "Conferma il tuo nuovo indirizzo email per %APP_NAME%",
                heading: "Conferma il tuo nuovo indirizzo email",
                paragraphs: [
                    "Hai chiesto di usare %NEW_EMAIL% per il tuo account su %APP_NAME%. La modifica avrà effetto "
                        + "solo dopo la tua conferma."
                ],
                button: "Conferma nuovo indirizzo",
                unasked: "Se non l’hai chiesto tu, puoi ignorare questa email. Non cambierà nulla."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "验证您在 %APP_NAME% 的新邮箱",
                heading: "验证您的新邮箱",
                paragraphs: [
                    "您请求将 %APP_NAME% 账号的邮箱更改为 %NEW_EMAIL%。验证后更改才会生效。"
                ],
                button: "验证新邮箱",
                unasked: "如果这不是您本人的请求，请忽略此邮件，不会有任何更改。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% için yeni e-posta adresinizi doğrulayın",
                heading: "Yeni e-posta adresinizi doğrulayın",
                paragraphs: [
                    "%APP_NAME% hesabınızda %NEW_EMAIL% adresini kullanmak istediniz. Değişiklik ancak siz "
                        + "doğruladıktan sonra geçerli olur."
                ],
                button: "Yeni adresi doğrula",
                unasked: "Bu isteği siz yapmadıysanız bu e-postayı yok sayabilirsiniz. Hiçbir şey değişmez."
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Asks somebody to confirm that an address is theirs.
///
/// It may reach a stranger whose address somebody else typed, so it carries no name.
enum VerifyEmail {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Confirm your email address for %APP_NAME%",
                heading: "Confirm your email address",
                paragraphs: [
                    "Please confirm that %EMAIL% is your address, so that you can use it with %APP_NAME%."
                ],
                button: "Confirm email address",
                unasked: "If you don’t have an account at %APP_NAME%, you can ignore this email."
            )
        case .spanish:
            LetterWords(
                subject: "Confirma tu correo electrónico para %APP_NAME%",
                heading: "Confirma tu correo electrónico",
                paragraphs: [
                    "Confirma que %EMAIL% es tu dirección para poder usarla en %APP_NAME%."
                ],
                button: "Confirmar correo",
                unasked: "Si no tienes una cuenta de %APP_NAME%, puedes ignorar este correo."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Confirme o e-mail da sua conta %APP_NAME%",
                heading: "Confirme seu e-mail",
                paragraphs: [
                    "Confirme que %EMAIL% é o seu endereço para usá-lo na sua conta %APP_NAME%."
                ],
                button: "Confirmar e-mail",
                unasked: "Se você não tem uma conta %APP_NAME%, pode ignorar este e-mail."
            )
        case .italian:
            LetterWords(
                subject: "Conferma il tuo indirizzo email per %APP_NAME%",
                heading: "Conferma il tuo indirizzo email",
                paragraphs: [
                    "Conferma che %EMAIL% è il tuo indirizzo, così potrai usarlo con %APP_NAME%."
                ],
                button: "Conferma indirizzo",
                unasked: "Se non hai un account su %APP_NAME%, puoi ignorare questa email."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "验证您在 %APP_NAME% 的邮箱",
                heading: "验证您的邮箱",
                paragraphs: [
                    "请验证 %EMAIL% 是您的邮箱，以便在 %APP_NAME% 中使用。"
                ],
                button: "验证邮箱",
                unasked: "如果您没有 %APP_NAME% 账号，请忽略此邮件。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% için e-posta adresinizi doğrulayın",
                heading: "E-posta adresinizi doğrulayın",
                paragraphs: [
                    "%EMAIL% adresini %APP_NAME% hesabınızda kullanabilmek için lütfen bu adresin size ait "
                        + "olduğunu doğrulayın."
                ],
                button: "E-posta adresini doğrula",
                unasked: "Bir %APP_NAME% hesabınız yoksa bu e-postayı yok sayabilirsiniz."
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells somebody that the password of their account is a new one.
enum PasswordChanged {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your %APP_NAME% password was changed",
                heading: "Your password was changed",
                paragraphs: [
                    "The password for your %APP_NAME% account (%EMAIL%) was just changed."
                ],
                unasked:
                    "If you made this change, there is nothing to do. If you didn’t, reset your password right away "
                    + "and contact %APP_NAME% support.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Se cambió tu contraseña de %APP_NAME%",
                heading: "Se cambió tu contraseña",
                paragraphs: [
                    "Se acaba de cambiar la contraseña de tu cuenta %EMAIL% en %APP_NAME%."
                ],
                unasked:
                    "Si hiciste este cambio, no tienes que hacer nada. Si no fuiste tú, restablece tu contraseña de "
                    + "inmediato y contacta con el soporte de %APP_NAME%.",
                greetsByName: true
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "A senha da sua conta %APP_NAME% foi alterada",
                heading: "Sua senha foi alterada",
                paragraphs: [
                    "A senha da sua conta %APP_NAME% (%EMAIL%) acabou de ser alterada."
                ],
                unasked: "Se foi você quem fez essa mudança, não precisa fazer nada. Se não foi, redefina sua senha "
                    + "imediatamente e fale com a equipe %APP_NAME%.",
                greetsByName: true
            )
        case .italian:
            LetterWords(
                subject: "La tua password di %APP_NAME% è stata cambiata",
                heading: "La tua password è stata cambiata",
                paragraphs: [
                    "La password del tuo account %APP_NAME% (%EMAIL%) è appena stata cambiata."
                ],
                unasked:
                    "Se hai fatto tu questa modifica, non devi fare altro. Altrimenti reimposta subito la password e "
                    + "contatta l’assistenza di %APP_NAME%.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您的 %APP_NAME% 密码已更改",
                heading: "您的密码已更改",
                paragraphs: [
                    "您的 %APP_NAME% 账号（%EMAIL%）的密码刚刚被更改。"
                ],
                unasked: "如果是您本人更改的，则无需任何操作。如果不是，请立即重置密码，并联系 %APP_NAME% 客服。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% şifreniz değiştirildi",
                heading: "Şifreniz değiştirildi",
                paragraphs: [
                    "%EMAIL% adresli %APP_NAME% hesabınızın şifresi az önce değiştirildi."
                ],
                unasked:
                    "Bu değişikliği siz yaptıysanız bir şey yapmanıza gerek yok. Siz yapmadıysanız şifrenizi hemen "
                    + "sıfırlayın ve %APP_NAME% destek ekibiyle iletişime geçin.",
                greetsByName: true
            )
        }
    }
}

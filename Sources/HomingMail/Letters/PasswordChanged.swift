// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells somebody that the password of their account is a new one.
enum PasswordChanged {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your password for %APP_NAME% has been changed",
                heading: "Your password has been changed",
                paragraphs: [
                    "The password for your account at %APP_NAME% (%EMAIL%) has just been changed."
                ],
                unasked:
                    "If you made this change, there is nothing to do. If you didn’t, reset your password right away "
                    + "and contact support at %APP_NAME%.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Se ha cambiado tu contraseña de %APP_NAME%",
                heading: "Se ha cambiado tu contraseña",
                paragraphs: [
                    "Se acaba de cambiar la contraseña de tu cuenta de %APP_NAME% (%EMAIL%)."
                ],
                unasked:
                    "Si hiciste tú este cambio, no tienes que hacer nada. Si no fuiste tú, restablece tu contraseña "
                    + "de inmediato y contacta con el soporte de %APP_NAME%.",
                greetsByName: true
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "A senha da sua conta %APP_NAME% foi alterada",
                heading: "Sua senha foi alterada",
                paragraphs: [
                    "A senha da sua conta %APP_NAME% (%EMAIL%) acabou de ser alterada."
                ],
                unasked: "Se foi você quem fez essa alteração, não precisa fazer nada. Se não foi, redefina sua senha "
                    + "imediatamente e fale com a equipe de suporte %APP_NAME%.",
                greetsByName: true
            )
        case .italian:
            LetterWords(
                subject: "La tua password per %APP_NAME% è stata cambiata",
                heading: "La tua password è stata cambiata",
                paragraphs: [
                    "La password del tuo account su %APP_NAME% (%EMAIL%) è appena stata cambiata."
                ],
                unasked:
                    "Se hai fatto tu questa modifica, non devi fare nulla. Altrimenti reimposta subito la password e "
                    + "contatta l’assistenza di %APP_NAME%.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您在 %APP_NAME% 的密码已更改",
                heading: "您的密码已更改",
                paragraphs: [
                    "您在 %APP_NAME% 的账号 %EMAIL% 的密码刚刚被更改。"
                ],
                unasked: "如果是您本人更改的，则无需任何操作。如果不是，请立即重置密码，并联系 %APP_NAME% 客服。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın şifresi değiştirildi",
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

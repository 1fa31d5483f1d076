// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells the old address that the account has a new one. It informs only; `RecoverEmail` carries the way back.
enum EmailChangeNotice {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your %APP_NAME% account has a new email address",
                heading: "Your account has a new email address",
                paragraphs: [
                    "%EMAIL% is no longer the email address of your %APP_NAME% account.",
                    "The new address is %NEW_EMAIL%.",
                ],
                unasked:
                    "If you made this change, there is nothing to do. If you didn’t, contact %APP_NAME% support right "
                    + "away.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Tu cuenta de %APP_NAME% tiene un nuevo correo electrónico",
                heading: "Tu cuenta tiene un nuevo correo electrónico",
                paragraphs: [
                    "%EMAIL% ya no es el correo electrónico de tu cuenta de %APP_NAME%.",
                    "La nueva dirección es %NEW_EMAIL%.",
                ],
                unasked:
                    "Si hiciste este cambio, no tienes que hacer nada. Si no fuiste tú, contacta de inmediato con el "
                    + "soporte de %APP_NAME%.",
                greetsByName: true
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "Sua conta %APP_NAME% tem um novo e-mail",
                heading: "Sua conta tem um novo e-mail",
                paragraphs: [
                    "%EMAIL% não é mais o e-mail da sua conta %APP_NAME%.",
                    "O novo endereço é %NEW_EMAIL%.",
                ],
                unasked:
                    "Se foi você quem fez essa mudança, não precisa fazer nada. Se não foi, fale imediatamente com a "
                    + "equipe %APP_NAME%.",
                greetsByName: true
            )
        case .italian:
            LetterWords(
                subject: "Il tuo account %APP_NAME% ha un nuovo indirizzo email",
                heading: "Il tuo account ha un nuovo indirizzo email",
                paragraphs: [
                    "%EMAIL% non è più l’indirizzo email del tuo account %APP_NAME%.",
                    "Il nuovo indirizzo è %NEW_EMAIL%.",
                ],
                unasked:
                    "Se hai fatto tu questa modifica, non devi fare altro. Altrimenti contatta subito l’assistenza di "
                    + "%APP_NAME%.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您的 %APP_NAME% 账号邮箱已更改",
                heading: "您的账号邮箱已更改",
                paragraphs: [
                    "%EMAIL% 不再是您 %APP_NAME% 账号的邮箱。",
                    "新的邮箱是 %NEW_EMAIL%。",
                ],
                unasked: "如果是您本人更改的，则无需任何操作。如果不是，请立即联系 %APP_NAME% 客服。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın e-posta adresi değişti",
                heading: "Hesabınızın e-posta adresi değişti",
                paragraphs: [
                    "%EMAIL% artık %APP_NAME% hesabınızın e-posta adresi değil.",
                    "Yeni adres: %NEW_EMAIL%.",
                ],
                unasked:
                    "Bu değişikliği siz yaptıysanız bir şey yapmanıza gerek yok. Siz yapmadıysanız hemen %APP_NAME% "
                    + "destek ekibiyle iletişime geçin.",
                greetsByName: true
            )
        }
    }
}

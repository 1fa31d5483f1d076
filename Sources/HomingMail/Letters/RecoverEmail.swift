// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells the old address that the account has a new one, and gives the way back.
enum RecoverEmail {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your %APP_NAME% email address was changed",
                heading: "Your email address was changed",
                paragraphs: [
                    "%EMAIL% is no longer the email address of your %APP_NAME% account.",
                    "The new address is %NEW_EMAIL%.",
                    "If this wasn’t you, somebody else may have access to your account. Restore your address to "
                        + "take it back.",
                ],
                button: "Restore my address",
                unasked: "If you made this change, you can ignore this email.",
                greetsByName: true
            )
        case .spanish:
            LetterWords(
                subject: "Se cambió tu correo electrónico de %APP_NAME%",
                heading: "Se cambió tu correo electrónico",
                paragraphs: [
                    "%EMAIL% ya no es el correo electrónico de tu cuenta de %APP_NAME%.",
                    "La nueva dirección es %NEW_EMAIL%.",
                    "Si no fuiste tú, es posible que otra persona tenga acceso a tu cuenta. Restaura tu dirección "
                        + "para recuperarla.",
                ],
                button: "Restaurar mi dirección",
                unasked: "Si hiciste este cambio, puedes ignorar este correo.",
                greetsByName: true
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "O e-mail da sua conta %APP_NAME% foi alterado",
                heading: "O e-mail da sua conta foi alterado",
                paragraphs: [
                    "%EMAIL% não é mais o e-mail da sua conta %APP_NAME%.",
                    "O novo endereço é %NEW_EMAIL%.",
                    "Se não foi você, outra pessoa pode ter acesso à sua conta. Restaure seu endereço para "
                        + "recuperá-la.",
                ],
                button: "Restaurar meu e-mail",
                unasked: "Se foi você quem fez essa mudança, pode ignorar este e-mail.",
                greetsByName: true
            )
        case .italian:
            LetterWords(
                subject: "Il tuo indirizzo email di %APP_NAME% è stato cambiato",
                heading: "Il tuo indirizzo email è stato cambiato",
                paragraphs: [
                    "%EMAIL% non è più l’indirizzo email del tuo account %APP_NAME%.",
                    "Il nuovo indirizzo è %NEW_EMAIL%.",
                    "Se non sei stato tu, qualcun altro potrebbe avere accesso al tuo account. Ripristina il tuo "
                        + "indirizzo per riprenderne il controllo.",
                ],
                button: "Ripristina il mio indirizzo",
                unasked: "Se hai fatto tu questa modifica, puoi ignorare questa email.",
                greetsByName: true
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您的 %APP_NAME% 邮箱已被更改",
                heading: "您的邮箱已被更改",
                paragraphs: [
                    "%EMAIL% 不再是您 %APP_NAME% 账号的邮箱。",
                    "新的邮箱是 %NEW_EMAIL%。",
                    "如果这不是您本人的操作，可能有人正在使用您的账号。请恢复原邮箱以找回账号。",
                ],
                button: "恢复我的邮箱",
                unasked: "如果是您本人更改的，请忽略此邮件。",
                greetsByName: true
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% e-posta adresiniz değiştirildi",
                heading: "E-posta adresiniz değiştirildi",
                paragraphs: [
                    "%EMAIL% artık %APP_NAME% hesabınızın e-posta adresi değil.",
                    "Yeni adres: %NEW_EMAIL%.",
                    "Bu değişikliği siz yapmadıysanız hesabınıza başka biri erişiyor olabilir. Hesabınızı geri "
                        + "almak için adresinizi geri yükleyin.",
                ],
                button: "Adresimi geri yükle",
                unasked: "Bu değişikliği siz yaptıysanız bu e-postayı yok sayabilirsiniz.",
                greetsByName: true
            )
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import HomingCore

/// Tells the old address that the account has a new one, and gives the way back.
enum RecoverEmail {
    static func words(in language: Language) -> LetterWords {
        switch language {
        case .english:
            LetterWords(
                subject: "Your email address for %APP_NAME% has been changed",
                heading: "Your email address has been changed",
                paragraphs: [
                    "%EMAIL% is no longer the email address of your account at %APP_NAME%.",
                    "The new address is %NEW_EMAIL%.",
                ],
                alarm:
                    "If this wasn’t you, someone else may have access to your account. Restore your address to "
                    + "take your account back.",
                button: "Restore my address",
                unasked: "If you made this change, you can ignore this email."
            )
        case .spanish:
            LetterWords(
                subject: "Se ha cambiado el correo electrónico de tu cuenta de %APP_NAME%",
                heading: "Se ha cambiado tu correo electrónico",
                paragraphs: [
                    "%EMAIL% ya no es el correo electrónico de tu cuenta de %APP_NAME%.",
                    "La nueva dirección es %NEW_EMAIL%.",
                ],
                alarm:
                    "Si no fuiste tú, es posible que otra persona tenga acceso a tu cuenta. Restaura tu dirección "
                    + "para recuperar tu cuenta.",
                button: "Restaurar mi dirección",
                unasked: "Si hiciste tú este cambio, puedes ignorar este correo."
            )
        case .brazilianPortuguese:
            LetterWords(
                subject: "O e-mail da sua conta %APP_NAME% foi alterado",
                heading: "O e-mail da sua conta foi alterado",
                paragraphs: [
                    "%EMAIL% não é mais o e-mail da sua conta %APP_NAME%.",
                    "O novo endereço é %NEW_EMAIL%.",
                ],
                alarm:
                    "Se não foi você, outra pessoa pode ter acesso à sua conta. Restaure seu e-mail para recuperar "
                    + "sua conta.",
                button: "Restaurar meu e-mail",
                unasked: "Se foi você quem fez essa alteração, pode ignorar este e-mail."
            )
        case .italian:
            LetterWords(
                subject: "L’indirizzo email del tuo account su %APP_NAME% è stato cambiato",
                heading: "Il tuo indirizzo email è stato cambiato",
                paragraphs: [
                    "%EMAIL% non è più l’indirizzo email del tuo account su %APP_NAME%.",
                    "Il nuovo indirizzo è %NEW_EMAIL%.",
                ],
                alarm:
                    "Se non hai fatto tu questa modifica, qualcun altro potrebbe avere accesso al tuo account. "
                    + "Ripristina il tuo indirizzo per riprendere il controllo dell’account.",
                button: "Ripristina il mio indirizzo",
                unasked: "Se hai fatto tu questa modifica, puoi ignorare questa email."
            )
        case .simplifiedChinese:
            LetterWords(
                subject: "您在 %APP_NAME% 的账号邮箱已更改",
                heading: "您的邮箱已更改",
                paragraphs: [
                    "%EMAIL% 不再是您在 %APP_NAME% 的账号邮箱。",
                    "新邮箱是 %NEW_EMAIL%。",
                ],
                alarm:
                    "如果不是您本人更改的，其他人可能有权访问您的账号。请恢复您的邮箱以找回账号。",
                button: "恢复我的邮箱",
                unasked: "如果是您本人更改的，请忽略此邮件。"
            )
        case .turkish:
            LetterWords(
                subject: "%APP_NAME% hesabınızın e-posta adresi değiştirildi",
                heading: "E-posta adresiniz değiştirildi",
                paragraphs: [
                    "%EMAIL% artık %APP_NAME% hesabınızın e-posta adresi değil.",
                    "Yeni adres: %NEW_EMAIL%.",
                ],
                alarm:
                    "Bu değişikliği siz yapmadıysanız hesabınıza başka birinin erişimi olabilir. Hesabınızı "
                    + "geri almak için eski e-posta adresinize dönün.",
                button: "Eski adresime dön",
                unasked: "Bu değişikliği siz yaptıysanız bu e-postayı yok sayabilirsiniz."
            )
        }
    }
}

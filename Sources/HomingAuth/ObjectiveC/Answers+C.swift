// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

internal import Foundation
internal import HomingClient

// MARK: Text

@_cdecl("homing_text")
package func homingText(_ answer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(answer, as: String.self))
}

// MARK: What a code does

@_cdecl("homing_info_operation")
package func homingInfoOperation(_ info: UnsafeRawPointer) -> Int {
    boxed(info, as: ActionCodeInfo.self).operation.rawValue
}

@_cdecl("homing_info_email")
package func homingInfoEmail(_ info: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(info, as: ActionCodeInfo.self).email)
}

@_cdecl("homing_info_previous_email")
package func homingInfoPreviousEmail(_ info: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(info, as: ActionCodeInfo.self).previousEmail)
}

// MARK: Links

@_cdecl("homing_link")
package func homingLink(_ link: UnsafePointer<CChar>?) -> UnsafeMutableRawPointer? {
    ActionCodeURL(link: text(link)).map { retained(Box($0)) }
}

@_cdecl("homing_link_api_key")
package func homingLinkAPIKey(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: ActionCodeURL.self).apiKey)
}

@_cdecl("homing_link_operation")
package func homingLinkOperation(_ link: UnsafeRawPointer) -> Int {
    boxed(link, as: ActionCodeURL.self).operation.rawValue
}

@_cdecl("homing_link_code")
package func homingLinkCode(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: ActionCodeURL.self).code)
}

@_cdecl("homing_link_continue_url")
package func homingLinkContinueURL(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: ActionCodeURL.self).continueURL?.absoluteString)
}

@_cdecl("homing_link_language_code")
package func homingLinkLanguageCode(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: ActionCodeURL.self).languageCode)
}

@_cdecl("homing_link_tenant_id")
package func homingLinkTenantID(_ link: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(boxed(link, as: ActionCodeURL.self).tenantID)
}

// MARK: Errors

private func error(_ pointer: UnsafeRawPointer) -> NSError {
    boxed(pointer, as: (any Error).self) as NSError
}

@_cdecl("homing_error_domain")
package func homingErrorDomain(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(error(pointer).domain)
}

@_cdecl("homing_error_code")
package func homingErrorCode(_ pointer: UnsafeRawPointer) -> Int { error(pointer).code }

@_cdecl("homing_error_description")
package func homingErrorDescription(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(error(pointer).localizedDescription)
}

@_cdecl("homing_error_reason")
package func homingErrorReason(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(error(pointer).localizedFailureReason)
}

@_cdecl("homing_error_name")
package func homingErrorName(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(error(pointer).userInfo[AuthErrors.userInfoNameKey] as? String)
}

@_cdecl("homing_error_email")
package func homingErrorEmail(_ pointer: UnsafeRawPointer) -> UnsafeMutablePointer<CChar>? {
    copied(error(pointer).userInfo[AuthErrors.userInfoEmailKey] as? String)
}

/// How often a code may still be typed, or -1 where nothing is said of it.
@_cdecl("homing_error_tries_left")
package func homingErrorTriesLeft(_ pointer: UnsafeRawPointer) -> Int {
    error(pointer).userInfo[AuthErrors.userInfoTriesLeftKey] as? Int ?? -1
}

/// The error underneath, or nothing.
@_cdecl("homing_error_underlying")
package func homingErrorUnderlying(_ pointer: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
    (error(pointer).userInfo[NSUnderlyingErrorKey] as? any Error).map { retained(Box<any Error>($0)) }
}

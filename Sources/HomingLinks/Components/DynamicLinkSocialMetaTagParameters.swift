// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

public import Foundation
internal import HomingWire

/// What messengers show of a link that was shared.
public final class DynamicLinkSocialMetaTagParameters {
    /// The title.
    public var title: String?
    /// The text below the title.
    public var descriptionText: String?
    /// A picture.
    public var imageURL: URL?

    /// Nothing said.
    public init() {}

    func write(to parameters: inout DynamicLinkParameters) {
        parameters.social.title = title
        parameters.social.description = descriptionText
        parameters.social.imageLink = imageURL?.absoluteString
    }
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

import HTTPTypes
import HomingCore
import HomingStore
import HomingWire

/// What is left out on purpose, and says so to whoever may ask.
extension Endpoint {
    static let notOffered: [Endpoint] = IdentityToolkit.NotOffered.allCases.flatMap { left in
        left.methods.map { method in
            Endpoint(
                notOfferedName, method, behind: identityToolkit, "",
                .appResponse { request, _, parts in
                    _ = try ProjectContext.project(of: request, parts.homing)
                    throw Refusal.operationNotAllowed(left.rawValue)
                })
        }
    }

    static let notOfferedToBackEnds: [Endpoint] =
        identityToolkit.flatMap { prefix in
            IdentityToolkit.notOfferedOfProjects.flatMap { left in
                let paths = [("v2", ""), ("v2", "/**"), ("v1", "/**")].map { version, end in
                    "\(prefix)/\(version)/projects/{project}/\(left.path)\(end)"
                }
                return [HTTPRequest.Method.get, .post, .patch, .delete].map { verb in
                    Endpoint(
                        undescribed: notOfferedName, verb, paths,
                        .response { request, call, parts in
                            _ = try AdminProjectContext(request, call, fields: Fields(), homing: parts.homing)
                            throw Refusal.operationNotAllowed(left.sentence)
                        })
                }
            }
        } + [
            Endpoint(
                notOfferedName, .setProjectConfig, behind: identityToolkit, "",
                .response { _, _, _ in
                    throw Refusal.operationNotAllowed("Settings are changed by PATCH v2/projects/{project}/config.")
                })
        ]

    private static let notOfferedName = "notOffered"
}

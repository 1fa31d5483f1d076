// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

/// Why a request has no answer to go on with. Each library makes an error of its own out of it.
package enum EndpointFault: Error {
    /// Nothing was configured.
    case unconfigured
    /// The configured endpoint is no URL that passwords may be sent to.
    case malformed
    /// The transport threw: no network, no server, a certificate that does not fit.
    case unreachable(String, any Error)
    /// Something answered that is not Homing, or not one that this version knows.
    case unreadable(String)
    /// The server refused, in the words of its answer; of a typed code it says how many tries are left.
    case refused(message: String, status: Int, triesLeft: Int?)

    /// What happened and what to do; for a refusal the server's own words.
    package var message: String {
        switch self {
        case .unconfigured:
            "No app is configured. Call HomingApp.configure(endpoint:apiKey:) before anything else."
        case .malformed:
            "The endpoint given to HomingApp.configure has to be https://HOST or https://HOST/PREFIX; http is for names "
                + "of this machine, .local names and addresses in digits."
        case .unreachable(let url, _):
            "The server at \(url) could not be reached. Check the connection and try again."
        case .unreadable(let what):
            "The server's answer cannot be read (\(what)). Check the endpoint given to HomingApp.configure."
        case .refused(let message, _, _): message
        }
    }
}

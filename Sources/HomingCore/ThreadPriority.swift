// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    import Glibc
#endif

/// Who goes first when every processor is busy.
package enum ThreadPriority {
    /// The calling thread lets the others go first: a request waits for no hash of somebody else's and for no letter.
    /// A ninth of a processor remains for it, so that it never stands still.
    package static func afterRequests() {
        #if canImport(Glibc)
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
        #endif
    }
}

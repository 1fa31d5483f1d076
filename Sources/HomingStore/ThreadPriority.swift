// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    import Glibc
#endif

/// The priorities of threads when every processor is busy: requests go first. No thread stands still, as the kernel
/// gives each thread its share, a smaller one for each step.
package enum ThreadPriority: Int32 {
    /// Below requests: no request waits for a hash of somebody else's password.
    case hashing = 10
    /// Below hashing. There are many such threads, and the person who waits for the mail has the answer already.
    case letters = 15

    /// Gives the calling thread this priority.
    package func take() {
        #if canImport(Glibc)
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, rawValue)
        #endif
    }
}

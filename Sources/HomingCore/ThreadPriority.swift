// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

#if canImport(Glibc)
    import Glibc
#endif

/// Who goes first when every processor is busy: requests. Neither kind stands still, as the kernel gives each thread its
/// share, a smaller one for each step.
package enum ThreadPriority: Int32 {
    /// A request waits for no hash of somebody else's.
    case hashing = 10
    /// Nor for a letter. There are many such threads, and the person whose letter it is has the answer already.
    case letters = 15

    /// For the calling thread.
    package func take() {
        #if canImport(Glibc)
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, rawValue)
        #endif
    }
}

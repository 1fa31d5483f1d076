// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing

/** Why a call to a server failed: the parent of all exceptions of this library, under Firebase's name. */
open class FirebaseException(message: String, cause: Throwable? = null) : Exception(message, cause)

/** The server was not reached or had no time. */
class FirebaseNetworkException(message: String, cause: Throwable? = null) : FirebaseException(message, cause)

/** A limit was reached; try again later. */
class FirebaseTooManyRequestsException(message: String) : FirebaseException(message)

/** Nothing was configured, the server does not know the key, or its answer cannot be read. */
class FirebaseApiNotAvailableException(message: String) : FirebaseException(message)

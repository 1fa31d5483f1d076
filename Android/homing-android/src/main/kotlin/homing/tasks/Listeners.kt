// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.tasks

import java.lang.Exception

/** Hears the result of a task that went well. */
fun interface OnSuccessListener<in T> {
    fun onSuccess(result: T)
}

/** Hears why a task failed. */
fun interface OnFailureListener {
    fun onFailure(exception: Exception)
}

/** Hears that a task is over, whatever came of it. */
fun interface OnCompleteListener<T> {
    fun onComplete(task: Task<T>)
}

/** Hears that a task was cancelled. */
fun interface OnCanceledListener {
    fun onCanceled()
}

/** Makes something of a task that is over. */
fun interface Continuation<T, R> {
    @Throws(Exception::class)
    fun then(task: Task<T>): R
}

/** Begins another task with the result of one that went well. */
fun interface SuccessContinuation<T, R> {
    @Throws(Exception::class)
    fun then(result: T): Task<R>
}

// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.tasks

import android.app.Activity
import java.util.concurrent.CancellationException
import java.util.concurrent.Executor

/**
 * A call that is under way, or over: the twin of Google Play services' `Task`.
 *
 * Listeners are called on the main thread unless an executor is named, in the order in which they were added, and also
 * when they are added after the end. In a coroutine, [await] waits for the result.
 */
class Task<T> internal constructor() {
    private val lock = Object()
    private var outcome: Outcome<T>? = null
    private val waiting = mutableListOf<(Task<T>) -> Unit>()

    private class Outcome<T>(val value: T?, val exception: Exception?)

    /** Whether the task is over. */
    val isComplete: Boolean get() = synchronized(lock) { outcome != null }

    /** Whether the task is over and went well. */
    val isSuccessful: Boolean get() = synchronized(lock) { outcome?.let { it.exception == null } ?: false }

    /** Whether the task was cancelled. */
    val isCanceled: Boolean get() = exception is CancellationException

    /** Why the task failed; null while it runs and when it went well. */
    val exception: Exception? get() = synchronized(lock) { outcome?.exception }

    /**
     * What came of the task.
     *
     * Throws [IllegalStateException] while it runs, and [RuntimeExecutionException] with the reason when it failed.
     */
    val result: T
        get() {
            val over = synchronized(lock) { outcome } ?: throw IllegalStateException("The task is not over yet.")
            over.exception?.let { throw RuntimeExecutionException(it) }
            @Suppress("UNCHECKED_CAST")
            return over.value as T
        }

    fun addOnSuccessListener(listener: OnSuccessListener<T>): Task<T> =
        addOnSuccessListener(MainThread.executor, listener)

    fun addOnSuccessListener(executor: Executor, listener: OnSuccessListener<T>): Task<T> =
        heard(executor) { if (it.isSuccessful) listener.onSuccess(it.result) }

    fun addOnFailureListener(listener: OnFailureListener): Task<T> = addOnFailureListener(MainThread.executor, listener)

    fun addOnFailureListener(executor: Executor, listener: OnFailureListener): Task<T> =
        heard(executor) { if (!it.isCanceled) it.exception?.let(listener::onFailure) }

    fun addOnCompleteListener(listener: OnCompleteListener<T>): Task<T> =
        addOnCompleteListener(MainThread.executor, listener)

    fun addOnCompleteListener(executor: Executor, listener: OnCompleteListener<T>): Task<T> =
        heard(executor) { listener.onComplete(it) }

    fun addOnCanceledListener(listener: OnCanceledListener): Task<T> =
        addOnCanceledListener(MainThread.executor, listener)

    fun addOnCanceledListener(executor: Executor, listener: OnCanceledListener): Task<T> =
        heard(executor) { if (it.isCanceled) listener.onCanceled() }

    /** The same for as long as a screen is there: an activity that is finishing or gone hears nothing more. */
    fun addOnSuccessListener(activity: Activity, listener: OnSuccessListener<T>): Task<T> =
        addOnSuccessListener(asLongAs(activity), listener)

    fun addOnFailureListener(activity: Activity, listener: OnFailureListener): Task<T> =
        addOnFailureListener(asLongAs(activity), listener)

    fun addOnCompleteListener(activity: Activity, listener: OnCompleteListener<T>): Task<T> =
        addOnCompleteListener(asLongAs(activity), listener)

    private fun asLongAs(activity: Activity) = Executor { work ->
        MainThread.executor.execute { if (!activity.isFinishing && !activity.isDestroyed) work.run() }
    }

    /** What a function makes of this task when it is over, as a task. */
    fun <R> continueWith(continuation: Continuation<T, R>): Task<R> = continueWith(MainThread.executor, continuation)

    fun <R> continueWith(executor: Executor, continuation: Continuation<T, R>): Task<R> {
        val next = Task<R>()
        heard(executor) { over -> next.settle { continuation.then(over) } }
        return next
    }

    /** The task that a function begins when this one is over. */
    fun <R> continueWithTask(continuation: Continuation<T, Task<R>>): Task<R> =
        continueWithTask(MainThread.executor, continuation)

    fun <R> continueWithTask(executor: Executor, continuation: Continuation<T, Task<R>>): Task<R> {
        val next = Task<R>()
        heard(executor) { over -> next.follow { continuation.then(over) } }
        return next
    }

    /** The task that a function begins with the result of this one; a failure is passed on. */
    fun <R> onSuccessTask(continuation: SuccessContinuation<T, R>): Task<R> =
        onSuccessTask(MainThread.executor, continuation)

    fun <R> onSuccessTask(executor: Executor, continuation: SuccessContinuation<T, R>): Task<R> {
        val next = Task<R>()
        heard(executor) { over ->
            val reason = over.exception
            if (reason != null) next.fail(reason) else next.follow { continuation.then(over.result) }
        }
        return next
    }

    internal fun succeed(value: T): Boolean = end(Outcome(value, null))

    internal fun fail(reason: Exception): Boolean = end(Outcome(null, reason))

    /** Runs what hears the end, at once when the task is over. */
    internal fun whenOver(hear: (Task<T>) -> Unit) {
        val isOver = synchronized(lock) {
            if (outcome == null) waiting.add(hear)
            outcome != null
        }
        if (isOver) hear(this)
    }

    private fun heard(executor: Executor, hear: (Task<T>) -> Unit): Task<T> {
        whenOver { task -> executor.execute { hear(task) } }
        return this
    }

    private fun end(over: Outcome<T>): Boolean {
        val ready = synchronized(lock) {
            if (outcome != null) return false
            outcome = over
            lock.notifyAll()
            waiting.toList().also { waiting.clear() }
        }
        ready.forEach { it(this) }
        return true
    }

    private fun settle(value: () -> T) {
        try {
            succeed(value())
        } catch (reason: RuntimeExecutionException) {
            fail(reason.reason)
        } catch (reason: Exception) {
            fail(reason)
        }
    }

    private fun follow(begin: () -> Task<T>) {
        try {
            begin().whenOver { over -> over.exception?.let(::fail) ?: succeed(over.result) }
        } catch (reason: RuntimeExecutionException) {
            fail(reason.reason)
        } catch (reason: Exception) {
            fail(reason)
        }
    }

    /** Blocks until the task is over, at most so many milliseconds; null means for ever. */
    internal fun block(milliseconds: Long?): Boolean {
        val end = milliseconds?.let { System.nanoTime() + it * 1_000_000 }
        synchronized(lock) {
            while (outcome == null) {
                val left = if (end == null) 0 else (end - System.nanoTime()) / 1_000_000
                if (end != null && left <= 0) return false
                lock.wait(left)
            }
        }
        return true
    }
}

/** The result of a task that failed was asked for; [cause] is the reason. */
class RuntimeExecutionException internal constructor(internal val reason: Exception) : RuntimeException(reason)

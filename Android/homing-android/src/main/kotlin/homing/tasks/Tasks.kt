// SPDX-License-Identifier: Apache-2.0
// Copyright (c) the Homing authors

package homing.tasks

import java.util.concurrent.CancellationException
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.launch
import kotlinx.coroutines.suspendCancellableCoroutine

/** Makes tasks, and waits for them. */
object Tasks {
    /** A task that went well. */
    @JvmStatic
    fun <T> forResult(result: T): Task<T> = Task<T>().apply { succeed(result) }

    /** A task that failed. */
    @JvmStatic
    fun <T> forException(exception: Exception): Task<T> = Task<T>().apply { fail(exception) }

    /** A task that was cancelled. */
    @JvmStatic
    fun <T> forCanceled(): Task<T> = forException(CancellationException("The task was cancelled."))

    /** Blocks a thread that is not the main one until a task is over. */
    @JvmStatic
    @Throws(ExecutionException::class, InterruptedException::class)
    fun <T> await(task: Task<T>): T {
        task.block(null)
        return resultOf(task)
    }

    /** The same, for so long at most. */
    @JvmStatic
    @Throws(ExecutionException::class, InterruptedException::class, TimeoutException::class)
    fun <T> await(task: Task<T>, timeout: Long, unit: TimeUnit): T {
        if (!task.block(unit.toMillis(timeout))) throw TimeoutException("The task is not over yet.")
        return resultOf(task)
    }

    /** A task that is over when all of these are, and failed when one of them has. */
    @JvmStatic
    fun whenAll(tasks: Collection<Task<*>>): Task<Void?> {
        val all = Task<Void?>()
        val left = AtomicInteger(tasks.size)
        if (tasks.isEmpty()) all.succeed(null)
        for (task in tasks) {
            task.whenOver {
                if (left.decrementAndGet() > 0) return@whenOver
                val reason = tasks.mapNotNull { it.exception }.firstOrNull()
                if (reason != null) all.fail(ExecutionException(reason)) else all.succeed(null)
            }
        }
        return all
    }

    private fun <T> resultOf(task: Task<T>): T {
        task.exception?.let { throw if (it is CancellationException) it else ExecutionException(it) }
        return task.result
    }
}

/** Waits for a task in a coroutine: its result, or its exception thrown. */
suspend fun <T> Task<T>.await(): T = suspendCancellableCoroutine { waiting ->
    whenOver { over ->
        val reason = over.exception
        when {
            !waiting.isActive -> Unit
            reason is CancellationException -> waiting.cancel(reason)
            reason != null -> waiting.resumeWithException(reason)
            else -> waiting.resume(over.result)
        }
    }
}

/** Where calls go on, also when the screen that began them is gone: a mailed link works once. */
internal val calls = CoroutineScope(SupervisorJob() + Dispatchers.Default)

/** Begins a call. */
internal fun <T> task(call: suspend () -> T): Task<T> {
    val task = Task<T>()
    calls.launch {
        try {
            task.succeed(call())
        } catch (reason: Exception) {
            task.fail(reason)
        }
    }
    return task
}

/** Begins a call that has no result. */
internal fun action(call: suspend () -> Unit): Task<Void?> = task {
    call()
    null
}

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

/** A CPU-heavy pure function, as a worker thread finds it: a module and the name of its export. */
interface Task {
  module: string
  name: string
  args: unknown[]
}

interface Queued extends Task {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/** So much waits already that more would only wait too long. */
export class TooBusy extends Error {}

export type Outcome = { result: unknown } | { error: string }

/** Milliseconds for one task. What takes longer is ended together with its thread. */
const LIMIT = 10_000
const mostQueued = 100
/** The event loop and PostgreSQL keep a core. */
const mostThreads = Math.max(1, Math.min(2, availableParallelism() - 1))

const queue: Queued[] = []
const idle: Worker[] = []
let threads = 0

/**
 * Gives `work` as a function that runs on a worker thread, so that no input of it holds up the event loop. Arguments and result
 * are copied, so they are plain data. `module` is the URL of the compiled file that exports `work` by that name.
 */
export function offLoop<A extends unknown[], R>(
  module: URL,
  name: string,
  work: (...args: A) => R,
): (...args: A) => Promise<R> {
  // A worker thread cannot load TypeScript: where the sources themselves run, as in tests, the work is done in place.
  if (import.meta.url.endsWith('.ts')) return async (...args) => work(...args)
  // The thread calls this very function with these arguments.
  return (...args) => enqueue({ module: module.href, name, args }) as Promise<R>
}

function enqueue(task: Task): Promise<unknown> {
  if (queue.length >= mostQueued)
    return Promise.reject(new TooBusy('Too much work waits for a worker thread.'))
  return new Promise((resolve, reject) => {
    queue.push({ ...task, resolve, reject })
    next()
  })
}

function next(): void {
  if (queue.length === 0) return
  const worker = idle.pop() ?? (threads < mostThreads ? startThread() : undefined)
  const task = worker && queue.shift()
  if (worker && task) run(worker, task)
}

function startThread(): Worker {
  threads++
  const worker = new Worker(new URL('./off-loop-thread.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.once('exit', () => {
    threads--
    const at = idle.indexOf(worker)
    if (at >= 0) idle.splice(at, 1)
    next()
  })
  return worker
}

function run(worker: Worker, { resolve, reject, ...task }: Queued): void {
  const limit = setTimeout(() => end(new Error('The work took too long.')), LIMIT)
  const settle = () => {
    clearTimeout(limit)
    worker.off('message', hear).off('error', end)
    // A waiting thread does not keep the process alive.
    worker.unref()
  }
  const hear = (outcome: Outcome) => {
    settle()
    idle.push(worker)
    if ('result' in outcome) resolve(outcome.result)
    else reject(new Error(outcome.error))
    next()
  }
  /** The thread died or is stuck: `exit` starts another for what waits. */
  const end = (error: Error) => {
    settle()
    void worker.terminate()
    reject(error)
  }
  worker.ref()
  worker.on('message', hear).on('error', end)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(task)
}

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createFairQueue } from './async.ts'

interface Task {
  module: string
  name: string
  args: unknown[]
}

interface Queued extends Task {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

export class WorkerQueueFull extends Error {
  readonly isOneCaller: boolean
  constructor(ofOne: boolean) {
    super('Too many tasks are waiting for a worker thread.')
    this.isOneCaller = ofOne
  }
}

export type WorkerOutcome = { result: unknown } | { error: string }

const LIMIT = 60_000
const mostQueued = 100
const mostQueuedOfOne = 10
/** One core stays free for the event loop and PostgreSQL. */
const maxThreads = Math.max(1, Math.min(2, availableParallelism() - 1))

// The whole process has one pool, because its limit is the number of cores. Workspaces share the pool fairly.
const queue = createFairQueue<Queued>(maxThreads)
let queued = 0
const idle: Worker[] = []
let threads = 0

/**
 * Wraps `work` to run on a worker thread, so that it cannot block the event loop. The first argument is the caller for the
 * fair queue, such as a workspace. Arguments and result are copied, so they must be plain data. `module` is the URL of the
 * compiled file that exports `work` by that name.
 */
export function onWorkerThread<A extends unknown[], R>(
  module: URL,
  name: string,
  work: (...args: A) => R,
): (turnOf: string, ...args: A) => Promise<R> {
  // A worker thread cannot load TypeScript: in tests the work runs on the main thread.
  if (import.meta.url.endsWith('.ts')) return async (_, ...args) => work(...args)
  // The assertion is true, because the thread calls `work` with these arguments.
  return (turnOf, ...args) => enqueue(turnOf, { module: module.href, name, args }) as Promise<R>
}

function enqueue(turnOf: string, task: Task): Promise<unknown> {
  const isFull = queue.countWaiting(turnOf) >= mostQueuedOfOne
  if (isFull || queued >= mostQueued) return Promise.reject(new WorkerQueueFull(isFull))
  return new Promise((resolve, reject) => {
    queue.add(turnOf, { ...task, resolve, reject })
    queued++
    next()
  })
}

function next(): void {
  if (queued === 0 || (idle.length === 0 && threads >= maxThreads)) return
  const taken = queue.take()
  if (!taken) return
  queued--
  run(idle.pop() ?? startThread(), taken.entry, taken.done)
}

function startThread(): Worker {
  threads++
  const worker = new Worker(new URL('./worker-thread-entry.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  })
  worker.once('exit', () => {
    threads--
    const index = idle.indexOf(worker)
    if (index >= 0) idle.splice(index, 1)
    next()
  })
  return worker
}

function run(worker: Worker, { resolve, reject, ...task }: Queued, done: () => void): void {
  const limit = setTimeout(() => end(new Error('The task on a worker thread timed out.')), LIMIT)
  const settle = () => {
    clearTimeout(limit)
    done()
    worker.off('message', handleOutcome).off('error', end)
    worker.unref()
  }
  const handleOutcome = (outcome: WorkerOutcome) => {
    settle()
    idle.push(worker)
    if ('result' in outcome) resolve(outcome.result)
    else reject(new Error(outcome.error))
    next()
  }
  const end = (error: Error) => {
    settle()
    void worker.terminate()
    reject(error)
  }
  worker.ref()
  worker.on('message', handleOutcome).on('error', end)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(task)
}

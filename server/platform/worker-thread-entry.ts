import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { z } from 'zod'
import type { WorkerOutcome } from './worker-thread.ts'

const task = z.object({ module: z.string(), name: z.string(), args: z.array(z.unknown()) })

yieldToOthers()
parentPort?.on('message', (message: unknown) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  void perform(message).then((outcome) => parentPort?.postMessage(outcome))
})

async function perform(message: unknown): Promise<WorkerOutcome> {
  try {
    const { module, name, args } = task.parse(message)
    const work: unknown = Object(await import(module))[name]
    if (typeof work !== 'function') throw new Error(`${module} exports no function ${name}.`)
    return { result: work(...args) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Lowers the priority of this thread, so that the event loop and PostgreSQL run first where cores are few. Only Linux
 * has a priority for each thread.
 */
function yieldToOthers(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), 5)
  } catch {
    // Other systems give threads no priority of their own, so this thread runs like the others.
  }
}

import { beforeEach, onTestFailed, vi } from 'vitest'
import { recorded } from './recorded.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Last log lines of a failed test. */
    log?: string[]
    /** Screenshot of a failed test. */
    screenshot?: string
  }
}

beforeEach(() => {
  recorded.length = 0
  onTestFailed(({ task }) => {
    task.meta.log = recorded.slice(-20).map((line) => line.slice(0, 400))
  })
})

/** Same limit as expect.poll, because a second is too short on a busy machine. */
const timeout = 120_000
const patient = Symbol.for('slipway.patient')
if (!(patient in vi)) {
  const { waitFor, waitUntil } = vi
  type Options = Parameters<typeof waitFor>[1]
  const withTimeout = (options: Options = {}) =>
    typeof options === 'number' ? options : { ...options, timeout: options.timeout ?? timeout }
  Object.assign(vi, {
    [patient]: true,
    waitFor: (callback: () => unknown, options?: Options) => waitFor(callback, withTimeout(options)),
    waitUntil: (callback: () => unknown, options?: Options) => waitUntil(callback, withTimeout(options)),
  })
}

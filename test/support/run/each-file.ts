import { beforeEach, onTestFailed, vi } from 'vitest'
import { recorded } from './recorded.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The last lines that Slipway logged during a test that failed. */
    log?: string[]
    /** What the browser showed when a test failed. */
    screenshot?: string
  }
}

beforeEach(() => {
  recorded.length = 0
  onTestFailed(({ task }) => {
    task.meta.log = recorded.slice(-20).map((line) => line.slice(0, 400))
  })
})

/** As long as expect.poll; its own second is too short for a busy machine. */
const patient = Symbol.for('slipway.patient')
if (!(patient in vi)) {
  const { waitFor } = vi
  Object.assign(vi, {
    [patient]: true,
    waitFor: (callback: () => unknown, options: Parameters<typeof waitFor>[1] = {}) =>
      waitFor(callback, typeof options === 'number' ? options : { timeout: 60_000, ...options }),
  })
}

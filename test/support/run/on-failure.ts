import { beforeEach, onTestFailed } from 'vitest'
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

import { expect, test } from 'vitest'
import { whyNotStarted } from './why-not-started.ts'

const config = { command: ['npm start'], cpu_limit: 8, memory_limit: 4 * 1024 * 1024 }
const why = (said: string, given: Partial<typeof config> | { command: null } = {}) =>
  whyNotStarted(said, { container: 'shop-2-1-abcd', server: 'web-1', config: { ...config, ...given } })

test.each([
  ['exec: "npm start": executable file not found in $PATH: unknown', /the image has no program “npm start”/],
  ['exec: "/x": stat /x: no such file or directory: unknown', /the image has no program/],
  ['exec: "/etc/passwd": permission denied: unknown', /“npm start” is no program that may be run there/],
  ['exec /app: exec format error', /built for another processor/],
  ['No command specified', /the image does not say what to run\. Give a command/],
  [
    'range of CPUs is from 0.01 to 4.00, as there are only 4 CPUs available',
    /its CPU limit is 8, and web-1 has 4 cores\. Lower/,
  ],
  ['Minimum memory limit allowed is 6MB', /does not take its memory limit of 4 MiB/],
  [
    "error while creating mount source path '/proc/x': mkdir /proc/x: no such file or directory",
    /one of its volumes cannot be mounted\. .* a folder on web-1/,
  ],
  ['error mounting "/a" to rootfs at "/b": not a directory', /one of its volumes cannot be mounted/],
])('%s', (said, words) => {
  expect(why(said)).toMatch(words)
  expect(why(said)).toMatch(/^The container shop-2-1-abcd could not be started: .*\.$/)
})

test('what is not known is left to the words of Docker', () => {
  expect(why('something new')).toBe('The container shop-2-1-abcd could not be started by Docker.')
  expect(why('executable file not found', { command: null })).toMatch(/the image has no such program/)
})

import { expect, test } from 'vitest'
import { startFailureMessage } from './start-failure.ts'

const config = { command: ['npm start'], cpu_limit: 8, memory_limit: 4 * 1024 * 1024 }
const why = (said: string, given: Partial<typeof config> | { command: null } = {}) =>
  startFailureMessage(said, { container: 'shop-2-1-abcd', server: 'web-1', config: { ...config, ...given } })

test.each([
  [
    'exec: "npm start": executable file not found in $PATH: unknown',
    /the image has no executable “npm start”/,
  ],
  ['exec: "/x": stat /x: no such file or directory: unknown', /the image has no executable/],
  ['exec: "/etc/passwd": permission denied: unknown', /“npm start” is not executable/],
  ['exec /app: exec format error', /built for another CPU architecture/],
  ['No command specified', /the image has no default command\. Set a command/],
  [
    'range of CPUs is from 0.01 to 4.00, as there are only 4 CPUs available',
    /the CPU limit is 8, but web-1 has 4 cores\. Lower/,
  ],
  ['Minimum memory limit allowed is 6MB', /Docker rejected the memory limit of 4 MiB/],
  [
    "error while creating mount source path '/proc/x': mkdir /proc/x: no such file or directory",
    /a volume cannot be mounted\. .* a host folder on web-1/,
  ],
  ['error mounting "/a" to rootfs at "/b": not a directory', /a volume cannot be mounted/],
])('%s', (said, words) => {
  expect(why(said)).toMatch(words)
  expect(why(said)).toMatch(/^Container shop-2-1-abcd could not be started: .*\.$/)
})

test('gives no reason for an unknown error of Docker', () => {
  expect(why('something new')).toBe('Container shop-2-1-abcd could not be started.')
  expect(why('executable file not found', { command: null })).toMatch(
    /the executable of the image was not found/,
  )
})

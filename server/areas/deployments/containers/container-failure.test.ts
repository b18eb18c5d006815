import { expect, test } from 'vitest'
import { listeningAdvice, parseListening, startFailureMessage } from './container-failure.ts'

const tables = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1
   1: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2 1
   2: 0B00007F:9C40 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 3 1
   3: 020012AC:1F91 030012AC:0050 01 00000000:00000000 00:00000000 00000000     0        0 4 1
  sl  local_address                         remote_address                        st
   0: 00000000000000000000000000000000:0050 00000000000000000000000000000000:0000 0A 00000000:00000000
   1: 00000000000000000000000001000000:1388 00000000000000000000000000000000:0000 0A 00000000:00000000
`

test('parses listening ports from the kernel tables, without loopback-only ones', () => {
  expect(parseListening(tables)).toEqual([
    { port: 8080, isLoopbackOnly: false },
    { port: 3000, isLoopbackOnly: true },
    { port: 80, isLoopbackOnly: false },
    { port: 5000, isLoopbackOnly: true },
  ])
})

test('suggests the port that the application listens on', () => {
  const listening = parseListening(tables)
  expect(listeningAdvice(listening, 9000)).toBe('The application listens on ports 8080, 80, not on 9000.')
  expect(listeningAdvice([{ port: 8080, isLoopbackOnly: false }], 3000)).toBe(
    'The application listens on port 8080, not on 3000.',
  )
  expect(listeningAdvice(listening, 3000)).toBe(
    'The application listens on 127.0.0.1:3000 only. Make it listen on 0.0.0.0:3000.',
  )
  expect(listeningAdvice([], 3000)).toBe(
    'Nothing listens on that port. Make sure the application listens on 0.0.0.0:3000, or change the port.',
  )
  expect(listeningAdvice(listening, 8080)).toBeUndefined()
})

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
    /a volume cannot be mounted\. .* each folder must exist on web-1/,
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

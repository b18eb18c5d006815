import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { createDocker } from '../docker.ts'
import { RemoteError, RemoteTimeout } from '../errors.ts'

const chunk = Buffer.alloc(1024 ** 2, ' ')

function sendEndlessly(response: ServerResponse, status: number): void {
  response.writeHead(status)
  const endless = function* () {
    for (;;) yield chunk
  }
  pipeline(Readable.from(endless()), response, () => {})
}

/** Starts a server that does not stop sending, or stops in the middle. */
const hostile = createServer(({ url = '' }, response) => {
  if (url === '/version') response.end(JSON.stringify({ ApiVersion: '1.45', MinAPIVersion: '1.24' }))
  else if (url.endsWith('/endless')) sendEndlessly(response, 200)
  else if (url.endsWith('/endless-error')) sendEndlessly(response, 500)
  else if (url.endsWith('/large')) response.end(JSON.stringify('x'.repeat(1024 ** 2)))
  else response.writeHead(url.endsWith('/silent-error') ? 500 : 200).write('{')
})
const endlessVersion = createServer((_, response) => sendEndlessly(response, 200))

const closers: (() => void)[] = []
afterAll(() => closers.forEach((close) => close()))

async function dockerAt(server: typeof hostile) {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  const docker = createDocker({
    open: async () => connect(port, '127.0.0.1'),
    acquire: () => () => {},
    diagnose: async () => new RemoteError('The test server is not reachable.'),
  })
  closers.push(() => {
    docker.close()
    server.closeAllConnections()
    server.close()
  })
  return docker
}

const docker = await dockerAt(hostile)

test.each([
  ['/endless', 'Docker sent a response of more than 64 MiB.'],
  ['/endless-error', 'Docker sent a response of more than 64 KiB.'],
])('stops reading %s', async (path, message) => {
  const reading = docker.json({ path })
  await expect(reading).rejects.toBeInstanceOf(RemoteError)
  await expect(reading).rejects.toThrow(message)
})

test('stops reading an endless version', async () => {
  const reading = (await dockerAt(endlessVersion)).json({ path: '/info' })
  await expect(reading).rejects.toThrow('Docker sent a response of more than 64 KiB.')
})

test.each(['/silent', '/silent-error'])('does not wait for the end of %s', async (path) => {
  await expect(docker.json({ path, timeout: 200 })).rejects.toBeInstanceOf(RemoteTimeout)
})

test('reads large answers below the limit', async () => {
  expect(await docker.json({ path: '/large' })).toHaveLength(1024 ** 2)
})

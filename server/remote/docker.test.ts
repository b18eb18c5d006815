import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/support/programs/programs.ts'
import { failureOf, openHosts } from '../../test/support/stages/reach.ts'
import { ConnectionLost, DockerError, DockerUnsupported, RemoteTimeout } from './errors.ts'

const hosts = openHosts()

interface Engine {
  Version: string
  ApiVersion: string
  MinAPIVersion: string
}

const older = { Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12' }
const newer = { Version: '26.1.5', ApiVersion: '1.45', MinAPIVersion: '1.24' }

/** Starts an engine that checks the version of each request, as Docker does, and records the requests. */
async function startEngine(
  first: Engine,
  respond: (request: IncomingMessage, reply: ServerResponse) => void = (_, reply) => void reply.end('[]'),
) {
  const socket = join(await temporaryFolder(), 'docker.sock')
  const engine = { is: first, requests: [] as string[], close: async () => {} }
  const server = createServer((request, reply) => {
    const { Version, ApiVersion, MinAPIVersion } = engine.is
    const { method = '', url = '' } = request
    engine.requests.push(`${method} ${url}`)
    reply.setHeader('server', `Docker/${Version} (linux)`).setHeader('api-version', ApiVersion)
    const [, minor = ''] = /^\/v1\.(\d+)\//.exec(url) ?? []
    const refuse = (why: string) =>
      reply.writeHead(400).end(JSON.stringify({ message: `client version 1.${minor} is ${why}` }))
    request.resume()
    if (url === '/version') reply.end(JSON.stringify(engine.is))
    else if (Number(minor) < minorOf(MinAPIVersion)) refuse('too old. Minimum supported API version')
    else if (Number(minor) > minorOf(ApiVersion)) refuse('too new. Maximum supported API version')
    else respond(request, reply)
  }).listen(socket)
  engine.close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(engine.close)
  await new Promise((resolve) => server.once('listening', resolve))
  return { engine, docker: hosts.get({ kind: 'local', id: socket, dockerSocket: socket }).docker }
}

const minorOf = (version: string) => Number(version.split('.')[1])

const list = { path: '/containers/json' }

test('asks for the version once and remembers it', async () => {
  const { engine, docker } = await startEngine(newer)
  await Promise.all(Array.from({ length: 20 }, () => docker.json(list)))
  expect(await docker.engine()).toMatchObject({ version: '26.1.5', apiVersion: '1.45' })
  expect(engine.requests.filter((request) => request === 'GET /version')).toHaveLength(1)
  expect(engine.requests.filter((request) => request === 'GET /v1.45/containers/json')).toHaveLength(20)
})

test('asks again when Docker was replaced by a newer version', async () => {
  const { engine, docker } = await startEngine(older)
  await docker.json(list)
  engine.is = newer
  // The response shows the new version; the request itself was accepted.
  await docker.json(list)
  await docker.json(list)
  expect(engine.requests).toEqual([
    'GET /version',
    'GET /v1.41/containers/json',
    'GET /v1.41/containers/json',
    'GET /version',
    'GET /v1.45/containers/json',
  ])
})

test('repeats a request, even a change, that was refused for its version', async () => {
  const { engine, docker } = await startEngine(newer)
  await docker.json(list)
  const start = { method: 'POST' as const, path: '/containers/a/start' }
  engine.is = older
  await docker.json(start)
  engine.is = { ...newer, MinAPIVersion: '1.44' }
  await docker.json(start)
  expect(engine.requests.slice(2)).toEqual([
    'POST /v1.45/containers/a/start',
    'GET /version',
    'POST /v1.41/containers/a/start',
    'POST /v1.41/containers/a/start',
    'GET /version',
    'POST /v1.45/containers/a/start',
  ])
})

test('sends an upload once; the next one uses the new version', async () => {
  const { engine, docker } = await startEngine(newer)
  await docker.json(list)
  engine.is = older
  const upload = () =>
    docker.stream({ method: 'POST', path: '/images/load', input: Readable.from([Buffer.alloc(10)]) })
  expect(await failureOf(upload())).toBeInstanceOf(DockerError)
  await (await upload()).resume().toArray()
  expect(engine.requests.slice(2)).toEqual([
    'POST /v1.45/images/load',
    'GET /version',
    'POST /v1.41/images/load',
  ])
})

test('says that there is no version in common, and works as soon as there is one', async () => {
  const { engine, docker } = await startEngine({
    Version: '40.0.0',
    ApiVersion: '1.90',
    MinAPIVersion: '1.80',
  })
  const error = await failureOf(docker.json(list))
  expect(error).toBeInstanceOf(DockerUnsupported)
  expect(error.message).toMatch(/^Docker 40\.0\.0 on this server accepts API version 1\.80 and newer/)
  expect(engine.requests).toEqual(['GET /version'])
  engine.is = newer
  expect(await docker.json(list)).toEqual([])
})

test('returns an error of the engine other than its version', async () => {
  const { docker } = await startEngine(newer, (_, reply) =>
    reply.writeHead(400).end('{"message":"invalid filter"}'),
  )
  expect(await failureOf(docker.json(list))).toMatchObject({ status: 400, message: 'invalid filter' })
})

test('times out on a silent engine, also while the version is unknown', async () => {
  const { docker } = await startEngine(newer, () => {})
  expect(await failureOf(docker.json({ ...list, timeout: 100 }))).toBeInstanceOf(RemoteTimeout)
  const socket = join(await temporaryFolder(), 'docker.sock')
  const mute = createServer(() => {}).listen(socket)
  onTestFinished(() => void mute.close())
  await new Promise((resolve) => mute.once('listening', resolve))
  const silent = hosts.get({ kind: 'local', id: socket, dockerSocket: socket }).docker
  const wait = [silent.json({ ...list, timeout: 100 }), silent.engine({ timeout: 100 })]
  for (const one of wait) expect(await failureOf(one)).toBeInstanceOf(RemoteTimeout)
  const stop = new AbortController()
  const aborted = failureOf(silent.json({ ...list, signal: stop.signal }))
  stop.abort(new Error('No longer needed.'))
  expect((await aborted).message).toBe('No longer needed.')
})

test('never repeats a change after a lost connection, and then asks for the version again', async () => {
  let isRude = false
  const { engine, docker } = await startEngine(newer, (request, reply) => {
    if (isRude) request.socket.destroy()
    else reply.end('{}')
  })
  await docker.json(list)
  isRude = true
  const start = { method: 'POST' as const, path: '/containers/a/start' }
  expect(await failureOf(docker.json(start))).toBeInstanceOf(ConnectionLost)
  expect(await failureOf(docker.json({ path: '/info' }))).toBeInstanceOf(ConnectionLost)
  isRude = false
  await docker.json(list)
  expect(engine.requests.slice(2)).toEqual([
    'POST /v1.45/containers/a/start',
    'GET /version',
    'GET /v1.45/info',
    'GET /v1.45/info',
    'GET /version',
    'GET /v1.45/containers/json',
  ])
})

import { spawn } from 'node:child_process'
import { basename, dirname } from 'node:path'
import { Transform } from 'node:stream'
import { Refusal, send } from '../http-service.ts'
import type { Call } from './answer.ts'
import { findToken, maySee } from './authenticate.ts'
import type { Repository } from './bare.ts'
import { batch } from './lfs.ts'
import { findRepository } from './state.ts'

/** `/octocat/hello.git/info/refs` and other paths of git's smart HTTP protocol and of Git LFS. */
export const gitPath =
  /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/objects\/batch)$/

/** Serves the bare repository with git http-backend to clients that may read it. */
export async function serveGit(call: Call, fullName: string, rest: string) {
  const { request, response, url, state } = call
  const isLfs = rest.startsWith('info/lfs')
  const isWrite = rest === 'git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack'
  const repository = authorizeGit(call, fullName, isWrite, isLfs ? 'lfs-authenticate' : 'www-authenticate')
  if (isLfs) {
    send(response, await batch(call, repository))
    return
  }
  const { headers } = request
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: dirname(repository.path),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${basename(repository.path)}/${rest}`,
      REQUEST_METHOD: request.method ?? 'GET',
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
      ...(headers['content-length'] && { CONTENT_LENGTH: headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  response.on('close', () => child.kill())
  let head = Buffer.alloc(0)
  const readHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    child.stdout.off('data', readHead)
    const lines = head.toString('latin1', 0, end).split('\r\n')
    for (const [name = '', value = ''] of lines.map((line) => line.split(': ')))
      if (name === 'Status') response.statusCode = Number.parseInt(value, 10)
      else response.setHeader(name, value)
    response.write(head.subarray(end + 4))
    child.stdout.pipe(throttle(state.bytesPerSecond)).pipe(response)
  }
  child.stdout.on('data', readHead)
  child.stdout.on('end', () => {
    if (!response.headersSent) response.end()
  })
}

const throttle = (bytesPerSecond: number) =>
  new Transform({
    transform: (chunk: Buffer, _, done) =>
      bytesPerSecond === Infinity
        ? done(null, chunk)
        : void setTimeout(() => done(null, chunk), (chunk.length / bytesPerSecond) * 1_000),
  })

/** Anybody may read a public repository; a private one is not found without access to it. */
function authorizeGit(call: Call, fullName: string, isWrite: boolean, challenge: string): Repository {
  const { state, request } = call
  const refuse = (status: number, message: string) =>
    new Refusal(status, message, status === 401 ? { [challenge]: 'Basic realm="GitHub"' } : {})
  const repository = findRepository(state, fullName) ?? state.formerNames.get(fullName.toLowerCase())
  const [, encoded = ''] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!encoded) {
    if (!repository || repository.private || isWrite) throw refuse(401, 'Repository not found.')
    return repository
  }
  const [user, password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
  if (user !== 'x-access-token') throw refuse(401, 'Invalid username or token.')
  const token = readToken()
  const canSee = repository !== undefined && maySee(token, repository)
  if (!repository || (repository.private && !canSee)) throw refuse(404, 'Repository not found.')
  const permission = canSee ? token.permissions['contents'] : undefined
  if (isWrite && permission !== 'write') throw refuse(403, 'Write access to repository not granted.')
  if (repository.private && !permission) throw refuse(403, 'Permission to the repository was denied.')
  return repository

  function readToken() {
    try {
      return findToken(call, password)
    } catch (error) {
      if (error instanceof Refusal) throw refuse(error.reply.status, 'Invalid username or token.')
      throw error
    }
  }
}

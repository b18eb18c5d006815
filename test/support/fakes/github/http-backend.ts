import { spawn } from 'node:child_process'
import { dirname, basename } from 'node:path'
import { Transform } from 'node:stream'
import { findToken, maySee } from './authenticate.ts'
import { type Call, Refusal } from './answer.ts'
import type { Repository } from './bare.ts'
import { batch } from './lfs.ts'
import { findRepository } from './state.ts'

/** `/octocat/hello.git/info/refs` and the like: git's own way to a repository, and that of Git LFS. */
export const gitPath =
  /^\/([^/]+\/[^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack|info\/lfs\/objects\/batch)$/

/** Serves the real bare repository to whoever may read it. */
export function serveGit(call: Call, fullName: string, rest: string) {
  const { request, response, url, state } = call
  const writes = rest === 'git-receive-pack' || url.searchParams.get('service') === 'git-receive-pack'
  const repository = findRepository(state, fullName) ?? state.formerNames.get(fullName.toLowerCase())
  const refusal = whyNot(call, repository, writes)
  const isLfs = rest.startsWith('info/lfs')
  if (refusal || !repository) {
    const asking = isLfs ? 'lfs-authenticate' : 'www-authenticate'
    const asks = refusal?.status === 401 ? { [asking]: 'Basic realm="GitHub"' } : {}
    return response
      .writeHead(refusal?.status ?? 404, { 'content-type': 'text/plain', ...asks })
      .end(refusal?.message ?? 'Repository not found.')
  }
  if (isLfs) return batch(call, repository)
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: dirname(repository.path),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: `/${basename(repository.path)}/${rest}`,
      REQUEST_METHOD: request.method ?? 'GET',
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      GIT_CONFIG_NOSYSTEM: '1',
      HOME: '/nonexistent',
      ...(request.headers['content-length'] && { CONTENT_LENGTH: request.headers['content-length'] }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  response.on('close', () => child.kill())
  let head = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    child.stdout.off('data', onData)
    const headers = head
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': '))
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
    for (const [name = '', value = ''] of headers) if (name !== 'Status') response.setHeader(name, value)
    response.writeHead(Number.parseInt(status, 10))
    response.write(head.subarray(end + 4))
    child.stdout.pipe(paced(state.bytesPerSecond)).pipe(response)
  }
  child.stdout.on('data', onData)
  child.stdout.on('end', () => {
    if (!response.headersSent) response.end()
  })
  return undefined
}

/** Lets no more through than that. */
const paced = (bytesPerSecond: number) =>
  new Transform({
    transform: (chunk: Buffer, _, done) =>
      bytesPerSecond === Infinity
        ? done(null, chunk)
        : void setTimeout(() => done(null, chunk), (chunk.length / bytesPerSecond) * 1_000),
  })

/** As the real one: a public one is anybody's to read; of a private one nobody learns that it is there. */
function whyNot(call: Call, repository: Repository | undefined, writes: boolean): Refusal | undefined {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(call.request.headers.authorization ?? '') ?? []
  const password = Buffer.from(encoded, 'base64').toString().split(':')
  if (!encoded)
    return repository && !repository.private && !writes
      ? undefined
      : new Refusal(401, 'Repository not found.')
  if (password[0] !== 'x-access-token') return new Refusal(401, 'Invalid username or token.')
  try {
    const token = findToken(call, password[1] ?? '')
    if (!repository || (repository.private && !maySee(token, repository)))
      return new Refusal(404, 'Repository not found.')
    const has = maySee(token, repository) ? token.permissions['contents'] : undefined
    if (writes && has !== 'write') return new Refusal(403, 'Write access to repository not granted.')
    if (repository.private && !has) return new Refusal(403, 'Permission to the repository was denied.')
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

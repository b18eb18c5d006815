import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Reply } from '../http-service.ts'
import { type Call, refuse } from './answer.ts'
import type { Repository } from './bare.ts'

const type = 'application/vnd.git-lfs+json'

const fileOf = ({ path }: Repository, oid: string) =>
  join(path, 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)

/** Stores a file as `git lfs push` does, and gives the pointer file to commit. */
export async function storeLfs(repository: Repository, content: Buffer): Promise<string> {
  const oid = createHash('sha256').update(content).digest('hex')
  const file = fileOf(repository, oid)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, content)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
}

const batchRequest = z.object({
  operation: z.enum(['download', 'upload']),
  transfers: z.array(z.string()).default(['basic']),
  objects: z.array(z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() })),
  hash_algo: z.literal('sha256').default('sha256'),
})

/** Gives download links, which need no credentials and expire after ten minutes. */
export async function batch({ request, state }: Call, repository: Repository): Promise<Reply> {
  const reply = (status: number, body: object) => ({ status, body, headers: { 'content-type': type } })
  const { accept, 'content-type': given } = request.headers
  if (!accept?.startsWith(type) || !given?.startsWith(type)) return reply(406, { message: `Accept ${type}.` })
  const { data } = batchRequest.safeParse(JSON.parse(await text(request)))
  if (!data?.transfers.includes('basic')) return reply(422, { message: 'Validation Failed' })
  if (data.operation === 'upload')
    return reply(403, { message: 'You must have push access to upload objects.' })
  const objects = data.objects.map(async ({ oid, size }) => {
    const file = fileOf(repository, oid)
    const found = await stat(file).catch(() => undefined)
    // An object is identified by its size as well.
    if (found?.size !== size)
      return { oid, size, error: { code: 404, message: 'Object does not exist on the server' } }
    const key = randomUUID()
    state.media.set(key, { file, until: Date.now() + 600_000 })
    const download = { href: `${state.url}/media/${key}`, expires_in: 600 }
    return { oid, size, authenticated: true, actions: { download } }
  })
  return reply(200, { transfer: 'basic', objects: await Promise.all(objects) })
}

/** Like the real storage, refuses requests with credentials besides the link. */
export async function sendMedia({ state, params, request, response }: Call) {
  const media = state.media.get(params['key'] ?? '')
  if (request.headers.authorization) throw refuse(400, 'Only one auth mechanism allowed')
  if (!media || media.until < Date.now()) throw refuse(403, 'Request has expired')
  response.writeHead(200, { 'content-type': 'application/octet-stream' })
  await pipeline(createReadStream(media.file), response)
  return undefined
}

import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { type Call, readBody, Refusal } from './answer.ts'
import type { Repository } from './bare.ts'

const type = 'application/vnd.git-lfs+json'

const placeOf = ({ path }: Repository, oid: string) =>
  join(path, 'lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)

/** Keeps a file as `git lfs push` would have it kept, and gives what stands for it in the repository. */
export async function storeLfs(repository: Repository, content: Buffer): Promise<string> {
  const oid = createHash('sha256').update(content).digest('hex')
  const place = placeOf(repository, oid)
  await mkdir(dirname(place), { recursive: true })
  await writeFile(place, content)
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`
}

const asked = z.object({
  operation: z.enum(['download', 'upload']),
  transfers: z.array(z.string()).default(['basic']),
  objects: z.array(z.object({ oid: z.string().regex(/^[0-9a-f]{64}$/), size: z.int().nonnegative() })),
  hash_algo: z.literal('sha256').default('sha256'),
})

/** Where the files of these names are; whoever knows such an address gets one of them, for some minutes. */
export async function batch(call: Call, repository: Repository) {
  const { request, response, state } = call
  const answer = (status: number, body: object) =>
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
  const isTyped = [request.headers.accept, request.headers['content-type']].every((one) =>
    one?.startsWith(type),
  )
  if (!isTyped) return answer(406, { message: `Ask for ${type}.` })
  const read = asked.safeParse(await readBody(call))
  if (!read.success || !read.data.transfers.includes('basic'))
    return answer(422, { message: 'Validation Failed' })
  if (read.data.operation === 'upload')
    return answer(403, { message: 'You must have push access to upload objects.' })
  const objects = read.data.objects.map(async ({ oid, size }) => {
    const place = placeOf(repository, oid)
    const found = await stat(place).catch(() => undefined)
    // The size is part of the name.
    if (found?.size !== size)
      return { oid, size, error: { code: 404, message: 'Object does not exist on the server' } }
    const key = randomUUID()
    state.media.set(key, { place, until: Date.now() + 600_000 })
    const download = { href: `${state.url}/media/${key}`, expires_in: 600 }
    return { oid, size, authenticated: true, actions: { download } }
  })
  return answer(200, { transfer: 'basic', objects: await Promise.all(objects) })
}

/** As where the real one keeps them: an address that says all, so nothing else is to be said. */
export async function sendMedia(call: Call) {
  const found = call.state.media.get(call.params['key'] ?? '')
  if (call.request.headers.authorization) throw new Refusal(400, 'Only one auth mechanism allowed')
  if (!found || found.until < Date.now()) throw new Refusal(403, 'Request has expired')
  call.response.writeHead(200, { 'content-type': 'application/octet-stream' })
  await pipeline(createReadStream(found.place), call.response)
}

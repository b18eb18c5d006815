import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { imageNamePattern, maxImageNameLength, notAnImageName } from './shared/image-name.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'

export const image = z.object({
  id: z.string().describe('Docker image ID, such as sha256:….'),
  tags: z.array(z.string()).describe('Tags, such as nginx:1.27; empty for an untagged image.'),
  digests: z.array(z.string()),
  size_bytes: z.int(),
  created_at: time.nullable().describe('When the image was built; null if unknown.'),
  used_by: z.array(z.object({ id: z.string(), name: z.string() })).describe('Containers that use the image.'),
  own: z.boolean().describe('Whether this is the image of the Slipway proxy.'),
})

export const pullStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export const pull = z.object({
  id: id('pull'),
  image: z.string(),
  status: z.enum(pullStatuses),
  error: z.string().nullable(),
  layers: z.array(
    z.object({
      id: z.string(),
      status: z.enum(['waiting', 'downloading', 'extracting', 'done']),
      current: z.number().describe('Number of bytes downloaded or extracted.'),
      total: z.number().nullable(),
    }),
  ),
  actor: z.object({ name: z.string() }),
  created_at: time,
  finished_at: time.nullable(),
})

export const imageName = text(maxImageNameLength, 1).trim().regex(imageNamePattern, { error: notAnImageName })

const params = z.object({ id: idInput('server') })
const pullParams = z.object({ id: idInput('server'), pull_id: idInput('pull') })

export const listImages = endpoint('GET /v1/servers/{id}/images', {
  access: 'containers.read',
  summary: 'List images on a server, newest first',
  params,
  query: z.strictObject({ ...pageQuery, q: text(300).optional() }),
  reply: pagedList('images', image),
})

export const pullImage = endpoint('POST /v1/servers/{id}/images', {
  access: 'containers.operate',
  summary: 'Pull an image',
  description: 'Returns immediately. To follow the progress, get the pull.',
  params,
  body: z.strictObject({ image: imageName }),
  reply: z.object({ pull }),
  status: 202,
  idempotent: true,
})

export const listPulls = endpoint('GET /v1/servers/{id}/pulls', {
  access: 'containers.read',
  summary: 'List recent image pulls, newest first',
  params,
  query: z.strictObject(pageQuery),
  reply: pagedList('pulls', pull),
})

export const getPull = endpoint('GET /v1/servers/{id}/pulls/{pull_id}', {
  access: 'containers.read',
  summary: 'Get an image pull with the progress of each layer',
  params: pullParams,
  reply: z.object({ pull }),
})

export const cancelPull = endpoint('POST /v1/servers/{id}/pulls/{pull_id}/cancel', {
  access: 'containers.operate',
  open: true,
  summary: 'Cancel an image pull',
  description: 'Has no effect on a finished pull.',
  params: pullParams,
  reply: z.object({ pull }),
})

export const removeImage = endpoint('DELETE /v1/servers/{id}/image/{name}', {
  access: 'containers.operate',
  summary: 'Remove an image',
  description: 'Accepts a name with tag or digest, or an ID. `force` requires root access to the server.',
  params: z.object({ id: idInput('server'), name: text(300, 1) }),
  rest: true,
  query: z.strictObject({ force: z.stringbool().default(false) }),
  reply: success,
})

const pruned = {
  images: z.array(z.object({ id: z.string(), tags: z.array(z.string()), size_bytes: z.int() })),
  bytes: z.int(),
}
const which = z
  .stringbool()
  .default(false)
  .describe('Whether to include tagged images. By default, only untagged images are pruned.')

export const previewPrune = endpoint('GET /v1/servers/{id}/images/prune', {
  access: 'containers.read',
  summary: 'Preview pruning unused images',
  description:
    'Returns the images to remove and the maximum number of bytes freed. Layers shared with remaining images are not counted. The build cache may keep further layers.',
  params,
  query: z.strictObject({ all: which }),
  reply: z.object({
    prune: z.object(pruned),
  }),
})

export const pruneImages = endpoint('POST /v1/servers/{id}/images/prune', {
  access: 'servers.root',
  open: true,
  summary: 'Remove the images that no container uses',
  params,
  body: z.strictObject({ all: z.boolean().default(false) }),
  reply: z.object({ prune: z.object(pruned) }),
})

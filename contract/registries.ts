import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

export const registryKinds = ['docker_hub', 'ghcr', 'gitlab', 'other'] as const

export const registry = z.object({
  id: id('registry'),
  name: z.string(),
  kind: z.enum(registryKinds),
  host: z
    .string()
    .meta({ description: 'As it stands before the names of its images; docker.io for Docker Hub.' }),
  scope: z
    .string()
    .meta({ description: 'Only for images that begin with it after the host, such as acme; empty for all.' }),
  username: z.string(),
  error: z
    .string()
    .nullable()
    .meta({ description: 'Why the registry did not take the credentials, when it was last asked.' }),
  checked_at: time.nullable().meta({ description: 'When it last took them; null where nobody asked it.' }),
  created_at: time,
})

const params = z.object({ id: givenId('registry') })
const reply = z.object({ registry })
const host = text(253, 1)
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/, {
    error: 'Must be a host, with its port if needed, such as registry.example.com:5000.',
  })
const fields = {
  name: name(),
  host,
  scope: text(200)
    .trim()
    .regex(/^(?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)?$/, {
      error: 'Must be the beginning of a repository, such as acme or acme/shop.',
    }),
  username: text(200, 1).trim(),
  password: text(10_000, 1).meta({ description: 'Or a token. It is never shown again.' }),
}
const unchecked = z
  .boolean()
  .default(false)
  .meta({ description: 'Kept without asking the registry, for one that only servers can reach.' })

export const listRegistries = endpoint('GET /v1/registries', {
  access: 'registries.read',
  summary: 'The image registries that the workspace has credentials for; never the passwords',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: listOf('registries', registry),
})

export const createRegistry = endpoint('POST /v1/registries', {
  access: 'registries.manage',
  summary: 'Keep credentials of an image registry, once it has taken them',
  body: z.strictObject({
    ...fields,
    kind: z.enum(registryKinds, { error: 'Must be docker_hub, ghcr, gitlab or other.' }).default('other'),
    host: host.optional().meta({ description: 'Needed for other; the rest have their own.' }),
    scope: fields.scope.default(''),
    unchecked,
  }),
  reply,
  status: 201,
  idempotent: true,
  limit: 30,
})

export const updateRegistry = endpoint('PUT /v1/registries/{id}', {
  access: 'registries.manage',
  summary: 'Change credentials; the password stays where none is given',
  params,
  body: z
    .strictObject({
      name: fields.name,
      scope: fields.scope,
      username: fields.username,
      password: fields.password,
    })
    .partial()
    .extend({ unchecked }),
  reply,
  limit: 30,
})

export const testRegistry = endpoint('POST /v1/registries/{id}/test', {
  access: 'registries.manage',
  open: true,
  summary: 'Ask the registry whether it still takes the credentials',
  params,
  reply,
  limit: 30,
})

export const deleteRegistry = endpoint('DELETE /v1/registries/{id}', {
  access: 'registries.manage',
  summary: 'Forget credentials. What runs goes on; private images cannot be pulled with them any more',
  params,
  reply: success,
})

export const foundRepository = z.object({
  name: z.string().meta({ description: 'As it is pulled, without a tag.' }),
  description: z.string(),
  stars: z.number().int().nullable(),
  pulls: z.number().int().nullable(),
  official: z.boolean(),
})

export const foundTag = z.object({
  name: z.string(),
  updated_at: time.nullable(),
  size_bytes: z.number().nullable().meta({ description: 'Of the largest, packed, as it is pulled.' }),
  platforms: z.array(z.string()).meta({ description: 'Such as linux/arm64; none where that is not told.' }),
  digest: z.string().nullable(),
})

const stale_since = time.nullable().meta({
  description: 'Where the registry does not answer now: when it said what is shown instead.',
})

const page = z.coerce
  .number({ error: 'Must be a number.' })
  .int({ error: 'Must be a whole number.' })
  .min(1, { error: 'Must be at least 1.' })
  .max(1_000, { error: 'Must be at most 1000.' })
  .default(1)

export const searchImages = endpoint('GET /v1/docker/search', {
  access: 'containers.read',
  summary: 'Search Docker Hub, or a registry of the workspace that lists what it has',
  query: z.strictObject({
    q: text(200).trim().default(''),
    page,
    registry_id: givenId('registry').optional(),
  }),
  reply: listOf('repositories', foundRepository).extend({ stale_since }),
  limit: 300,
})

export const searchTags = endpoint('GET /v1/docker/search/tags', {
  access: 'containers.read',
  summary:
    'The tags of an image, the newest first where the registry tells; with its host before it unless it is on Docker Hub',
  query: z.strictObject({
    repo_name: text(300, 1).trim(),
    official: z
      .stringbool()
      .optional()
      .meta({ description: 'Whether a name without a slash is an official image; it is unless told.' }),
    page,
    q: text(100).trim().default(''),
  }),
  reply: listOf('tags', foundTag).extend({ stale_since }),
  limit: 120,
})

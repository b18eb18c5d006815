import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { name, text, time } from './shared/text-fields.ts'
import { pagedList, pageQuery, success } from './shared/replies.ts'
import { numberParameter } from './shared/numbers.ts'

export const registryKinds = ['docker_hub', 'ghcr', 'gitlab', 'other'] as const

export const registry = z.object({
  id: id('registry'),
  name: z.string(),
  kind: z.enum(registryKinds),
  host: z.string().describe('Registry host in image names; docker.io for Docker Hub.'),
  scope: z
    .string()
    .describe('Prefix of the images for which the credentials are used, such as acme; empty for all images.'),
  username: z.string(),
  error: z
    .string()
    .nullable()
    .describe('Why the registry rejected the credentials at the last check; null if it did not reject them.'),
  checked_at: time
    .nullable()
    .describe('When the registry last accepted the credentials; null if never checked.'),
  created_at: time,
})

const params = z.object({ id: idInput('registry') })
const reply = z.object({ registry })
const host = text(253, 1)
  .trim()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/, {
    error: 'Must be a host with an optional port, such as registry.example.com:5000.',
  })
const fields = {
  name: name(),
  host,
  scope: text(200)
    .trim()
    .regex(/^(?:[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)?$/, {
      error: 'Must be the prefix of a repository, such as acme or acme/shop.',
    }),
  username: text(200, 1).trim(),
  password: text(10_000, 1).describe('Password or token. Write-only.'),
}
const unchecked = z
  .boolean()
  .default(false)
  .describe(
    'Whether to save the credentials without checking them, for a registry that only servers can reach.',
  )

export const listRegistries = endpoint('GET /v1/registries', {
  access: 'registries.read',
  summary: 'List image registries',
  description: 'Passwords are never returned.',
  query: z.strictObject({ ...pageQuery, q: text(100).optional() }),
  reply: pagedList('registries', registry),
})

export const createRegistry = endpoint('POST /v1/registries', {
  access: 'registries.manage',
  summary: 'Add credentials for an image registry',
  description: 'The credentials are checked first, unless `unchecked` is true.',
  body: z.strictObject({
    ...fields,
    kind: z.enum(registryKinds, { error: 'Must be docker_hub, ghcr, gitlab or other.' }).default('other'),
    host: host
      .optional()
      .describe(
        'Registry host. Required for `other`, fixed for `docker_hub` and `ghcr`. Defaults to registry.gitlab.com for `gitlab`.',
      ),
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
  summary: 'Update registry credentials',
  description: 'If the password is omitted, the current one is kept.',
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
  summary: 'Check the credentials with the registry',
  params,
  reply,
  limit: 30,
})

export const deleteRegistry = endpoint('DELETE /v1/registries/{id}', {
  access: 'registries.manage',
  summary: 'Delete registry credentials',
  description: 'Running containers are not affected, but private images can no longer be pulled.',
  params,
  reply: success,
})

export const foundRepository = z.object({
  name: z.string().describe('Full image name without a tag.'),
  description: z.string(),
  stars: z.int().nullable(),
  pulls: z.int().nullable(),
  official: z.boolean(),
})

export const foundTag = z.object({
  name: z.string(),
  updated_at: time.nullable(),
  size_bytes: z.number().nullable().describe('Compressed size of the image for the largest platform.'),
  platforms: z.array(z.string()).describe('Platforms, such as linux/arm64; empty if unknown.'),
  digest: z.string().nullable(),
})

const stale_since = time
  .nullable()
  .describe('Time of the cached result if the registry is unreachable; otherwise null.')

const page = numberParameter(1_000).default(1)

export const searchImages = endpoint('GET /v1/docker/search', {
  access: 'containers.read',
  summary: 'Search images on Docker Hub or in a registry of the workspace',
  query: z.strictObject({
    q: text(200).trim().default(''),
    page,
    registry_id: idInput('registry').optional(),
  }),
  reply: pagedList('repositories', foundRepository).extend({ stale_since }),
  limit: 300,
})

export const searchTags = endpoint('GET /v1/docker/search/tags', {
  access: 'containers.read',
  summary: 'List the tags of an image',
  description:
    'Sorted newest first if the registry provides dates. Include the registry host unless the image is on Docker Hub.',
  query: z.strictObject({
    repo_name: text(300, 1).trim(),
    official: z
      .stringbool()
      .optional()
      .describe('Whether a name without a slash is an official image. Defaults to true.'),
    page,
    q: text(100).trim().default(''),
  }),
  reply: pagedList('tags', foundTag).extend({ stale_since }),
  limit: 120,
})

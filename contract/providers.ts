import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, text, time } from './shared/ids.ts'
import { server } from './servers.ts'

export const provider = z.object({
  id: z.string().meta({ description: 'As it stands in paths, such as hetzner.' }),
  name: z.string(),
  token_url: z.string().meta({ description: 'Where one makes a token for it.' }),
  token_help: z.string().meta({ description: 'How, and with which rights.' }),
})

export const region = z.object({
  id: z.string(),
  name: z.string(),
  country: z.string().nullable().meta({ description: 'Two letters, such as DE.' }),
  available: z.boolean().meta({ description: 'Whether servers can be made there now.' }),
})

export const datacenter = z.object({ id: z.string(), name: z.string(), region: z.string() })

export const price = z.object({
  monthly: z.number().meta({
    description:
      'At most, for a whole month, with its public address, and with taxes where the provider tells them.',
  }),
  hourly: z.number().nullable(),
  taxed: z.boolean().meta({ description: 'Whether taxes are in it; where they are not, they come on top.' }),
  currency: z.string().meta({ description: 'Such as EUR.' }),
})

export const serverType = z.object({
  id: z.string(),
  name: z.string(),
  cpus: z.number(),
  cpu_kind: z.enum(['shared', 'dedicated']),
  architecture: z.enum(['x86_64', 'aarch64']),
  memory_bytes: z.number().int(),
  disk_bytes: z.number().int(),
  regions: z
    .array(
      z.object({
        id: z.string(),
        available: z.boolean().meta({ description: 'False where it is sold out.' }),
        price,
      }),
    )
    .meta({ description: 'Where it is offered. In others there is none.' }),
})

export const serverImage = z.object({
  id: z.string(),
  name: z.string().meta({ description: 'Such as Debian 12.' }),
  family: z.string().meta({ description: 'Such as debian.' }),
  architectures: z.array(z.enum(['x86_64', 'aarch64'])),
  recommended: z.boolean().meta({ description: 'The one to take where one does not care.' }),
})

export const cloudStatuses = ['starting', 'running', 'stopped', 'deleted', 'unknown'] as const

export const accountServer = z.object({
  id: z.string().meta({ description: "The provider's own." }),
  name: z.string(),
  status: z.enum(cloudStatuses),
  address: z.string().nullable(),
  region: z.string().nullable(),
  type: z.string().nullable(),
  image: z.string().nullable(),
  price: price.nullable(),
  created_at: time.nullable(),
  server: z
    .object({ id: id('server'), name: z.string() })
    .nullable()
    .meta({ description: 'What it is in this workspace, if it is there already.' }),
})

/** A token of an account, as it fits into a header. */
export const apiKey = text(1_000)
  .trim()
  .min(1, { error: 'Must not be empty.' })
  .regex(/^[\x21-\x7e]*$/, { error: 'Must be a token: one word, without spaces.' })

const params = z.object({ p: text(64) })
const query = z.strictObject({
  cloud_token_id: givenId('cloudToken')
    .optional()
    .meta({ description: 'The oldest one that this provider takes, where none is given.' }),
})

export const listProviders = endpoint('GET /v1/providers', {
  access: 'servers.manage',
  summary: 'The clouds that servers can be made at',
  reply: z.object({
    providers: z.array(provider),
    obstacle: z.string().nullable().meta({
      description: 'Why none of them can make a server for this Slipway now, and what to do.',
    }),
  }),
})

export const listRegions = endpoint('GET /v1/providers/{p}/regions', {
  access: 'servers.manage',
  summary: 'Where servers can be made',
  params,
  query,
  reply: z.object({ regions: z.array(region) }),
  limit: 120,
})

export const listDatacenters = endpoint('GET /v1/providers/{p}/datacenters', {
  access: 'servers.manage',
  summary: 'The datacenters of the regions',
  params,
  query,
  reply: z.object({ datacenters: z.array(datacenter) }),
  limit: 120,
})

export const listServerTypes = endpoint('GET /v1/providers/{p}/server-types', {
  access: 'servers.manage',
  summary: 'The types of servers, with what they cost and where they are to be had now',
  params,
  query,
  reply: z.object({ server_types: z.array(serverType) }),
  limit: 120,
})

export const listServerImages = endpoint('GET /v1/providers/{p}/images', {
  access: 'servers.manage',
  summary: 'The systems that a server can begin with, as far as Slipway can set them up',
  params,
  query,
  reply: z.object({ images: z.array(serverImage) }),
  limit: 120,
})

export const listAccountServers = endpoint('POST /v1/providers/{p}/servers', {
  access: 'servers.manage',
  open: true,
  summary: 'The servers of a cloud account, to pick from for import. Nothing is kept of an `api_key`',
  params,
  body: z.strictObject({
    api_key: apiKey.optional(),
    cloud_token_id: givenId('cloudToken').optional(),
    provider: text(50).optional().meta({ description: 'The same as in the path, if given.' }),
  }),
  reply: z.object({ servers: z.array(accountServer) }),
  limit: 60,
})

export const importAccountServers = endpoint('POST /v1/providers/{p}/import', {
  access: 'servers.manage',
  summary:
    'Add servers of a cloud account, which are pending then: a line to paste on each, or its key and host key, let Slipway in',
  params,
  body: z.strictObject({
    cloud_token_id: givenId('cloudToken'),
    servers: z
      .array(text(100, 1))
      .min(1, { error: 'Must name at least one.' })
      .max(50, { error: 'Must be at most 50 at a time.' })
      .transform((list) => [...new Set(list)]),
  }),
  reply: z.object({ servers: z.array(server) }),
  status: 201,
  idempotent: true,
  limit: 30,
})

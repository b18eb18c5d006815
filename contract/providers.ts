import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, reference } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { server } from './servers.ts'

export const provider = z.object({
  id: z.string().describe('ID of the provider, such as hetzner.'),
  name: z.string(),
  token_url: z.string().describe('URL of the page that creates API tokens.'),
  token_help: z.string().describe('How to create a token and which permissions it needs.'),
})

export const region = z.object({
  id: z.string(),
  name: z.string(),
  country: z.string().nullable().describe('Country code, such as DE; null if unknown.'),
  available: z.boolean().describe('Whether servers can currently be created in this region.'),
})

export const datacenter = z.object({ id: z.string(), name: z.string(), region: z.string() })

export const price = z.object({
  monthly: z
    .number()
    .describe(
      'Maximum price per month, including the public address, and taxes if the provider reports them.',
    ),
  hourly: z.number().nullable(),
  taxed: z.boolean().describe('Whether the price includes taxes.'),
  currency: z.string().describe('ISO currency code, such as EUR.'),
})

export const serverType = z.object({
  id: z.string(),
  name: z.string(),
  cpus: z.number(),
  cpu_kind: z.enum(['shared', 'dedicated']),
  architecture: z.enum(['x86_64', 'aarch64']),
  memory_bytes: z.int(),
  disk_bytes: z.int(),
  regions: z
    .array(
      z.object({
        id: z.string(),
        available: z
          .boolean()
          .describe('Whether the type is available in the region. False if it is sold out.'),
        price,
      }),
    )
    .describe('Regions that offer the type.'),
})

export const serverImage = z.object({
  id: z.string(),
  name: z.string().describe('Name of the image, such as Debian 12.'),
  family: z.string().describe('Distribution, such as debian.'),
  architectures: z.array(z.enum(['x86_64', 'aarch64'])),
  recommended: z.boolean().describe('Whether this is the recommended image.'),
})

export const cloudStatuses = ['starting', 'running', 'stopped', 'deleted', 'unknown'] as const

export const accountServer = z.object({
  id: z.string().describe('ID of the server at the provider.'),
  name: z.string(),
  status: z.enum(cloudStatuses),
  address: z.string().nullable(),
  region: z.string().nullable(),
  type: z.string().nullable(),
  image: z.string().nullable(),
  price: price.nullable(),
  created_at: time.nullable(),
  server: reference('server').nullable().describe('Server in this workspace; null if it is not imported.'),
})

/** API token of a cloud account, which must be valid in an HTTP header. */
export const apiKey = text(1_000)
  .trim()
  .min(1, { error: 'Must not be empty.' })
  .regex(/^[\x21-\x7e]*$/, { error: 'Must be a token without spaces.' })

const params = z.object({ p: text(64) })
const query = z.strictObject({
  cloud_token_id: idInput('cloudToken')
    .optional()
    .describe('Defaults to the oldest token that the provider accepts.'),
})

export const listProviders = endpoint('GET /v1/providers', {
  access: 'servers.manage',
  summary: 'List the cloud providers',
  reply: z.object({
    providers: z.array(provider),
    obstacle: z
      .string()
      .nullable()
      .describe('Why servers cannot be created at any provider and what to do; null if they can.'),
  }),
})

export const listRegions = endpoint('GET /v1/providers/{p}/regions', {
  access: 'servers.manage',
  summary: 'List the regions of a provider',
  params,
  query,
  reply: z.object({ regions: z.array(region) }),
  limit: 120,
})

export const listDatacenters = endpoint('GET /v1/providers/{p}/datacenters', {
  access: 'servers.manage',
  summary: 'List the datacenters of a provider',
  params,
  query,
  reply: z.object({ datacenters: z.array(datacenter) }),
  limit: 120,
})

export const listServerTypes = endpoint('GET /v1/providers/{p}/server-types', {
  access: 'servers.manage',
  summary: 'List the server types with prices and availability',
  params,
  query,
  reply: z.object({ server_types: z.array(serverType) }),
  limit: 120,
})

export const listServerImages = endpoint('GET /v1/providers/{p}/images', {
  access: 'servers.manage',
  summary: 'List the operating system images that Slipway supports',
  params,
  query,
  reply: z.object({ images: z.array(serverImage) }),
  limit: 120,
})

export const listAccountServers = endpoint('POST /v1/providers/{p}/servers', {
  access: 'servers.manage',
  open: true,
  summary: 'List the servers of a cloud account for import',
  description: 'The `api_key` is not stored.',
  params,
  body: z.strictObject({
    api_key: apiKey.optional(),
    cloud_token_id: idInput('cloudToken').optional(),
    provider: text(50).optional().describe('If sent, must match the path.'),
  }),
  reply: z.object({ servers: z.array(accountServer) }),
  limit: 60,
})

export const importAccountServers = endpoint('POST /v1/providers/{p}/import', {
  access: 'servers.manage',
  summary: 'Import servers of a cloud account',
  description: 'Each server is pending until it runs its import command or is connected over SSH.',
  params,
  body: z.strictObject({
    cloud_token_id: idInput('cloudToken'),
    servers: z
      .array(text(100, 1))
      .min(1, { error: 'Must contain at least one server.' })
      .max(50, { error: 'Must contain at most 50 servers.' })
      .transform((list) => [...new Set(list)]),
  }),
  reply: z.object({ servers: z.array(server) }),
  status: 201,
  idempotent: true,
  limit: 30,
})

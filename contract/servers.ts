import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { givenId, id, name, text, time } from './shared/ids.ts'
import { listOf, pageQuery, success } from './shared/page.ts'

/** In the order of the list: what needs attention comes first. */
export const serverStatuses = [
  'failed',
  'unreachable',
  'setting_up',
  'provisioning',
  'pending',
  'ready',
  'deleting',
] as const

/** What is done until a server of a cloud has called; after that it is set up like any other. */
export const cloudSteps = ['key', 'create', 'boot', 'call'] as const

const cloud = z.object({
  provider: z.string(),
  provider_name: z.string(),
  cloud_token_id: id('cloudToken').nullable().meta({ description: 'Null once that was deleted.' }),
  id: z.string().nullable().meta({ description: "The provider's own; null before it is made." }),
  url: z.string().nullable().meta({ description: "Its page in the provider's own console." }),
  origin: z.enum(['created', 'imported']),
  step: z.enum(cloudSteps).nullable().meta({
    description: 'How far its creation is, or where that failed; null once it has called.',
  }),
  image: z.string().nullable().meta({ description: 'In words.' }),
  image_id: z.string().nullable().meta({ description: "The provider's own, where it was made by Slipway." }),
  price: z
    .object({ monthly: z.number(), currency: z.string() })
    .nullable()
    .meta({ description: 'What it costs for a month while it exists, as the provider said.' }),
  status: z.enum(['starting', 'running', 'stopped', 'deleted', 'unknown']),
  seen_at: time.nullable().meta({ description: 'When the provider was last asked about it.' }),
  address: z.string().nullable().meta({ description: 'Where the provider says it is.' }),
  drift: z
    .array(
      z.object({
        kind: z.enum(['deleted', 'stopped', 'resized', 'moved', 'duplicated', 'unseen']),
        text: z.string(),
      }),
    )
    .meta({ description: 'What is not as Slipway knew it, in sentences that say what to do.' }),
})

const hostKey = z.object({
  type: z.string(),
  fingerprint: z.string().meta({ description: 'As ssh shows it: SHA256:…' }),
})

export const server = z.object({
  id: id('server'),
  name: z.string(),
  status: z.enum(serverStatuses),
  reason: z
    .string()
    .nullable()
    .meta({ description: 'Why it is failed, unreachable or still pending, and what to do.' }),
  kind: z.enum(['ssh', 'local']).meta({ description: '`local` is the machine that Slipway runs on.' }),
  address: z.string().nullable(),
  port: z.number().int(),
  user: z.string(),
  host_key: hostKey.nullable().meta({ description: 'The confirmed one. Any other is refused.' }),
  offered_host_key: hostKey
    .nullable()
    .meta({ description: 'One that the server showed and that nobody has confirmed.' }),
  http_port: z
    .number()
    .int()
    .meta({ description: 'Where the proxy listens for HTTP. A change takes effect with the next set-up.' }),
  https_port: z.number().int(),
  labels: z.array(z.string()),
  projects: z.array(z.object({ id: id('project'), name: z.string() })),
  provider: z.string().nullable(),
  region: z.string().nullable(),
  type: z.string().nullable(),
  cloud: cloud.nullable().meta({ description: 'What it is at a cloud, if it came from one.' }),
  os: z.string().nullable(),
  architecture: z.string().nullable(),
  cpus: z.number().int().nullable(),
  memory_bytes: z.number().int().nullable(),
  disk_bytes: z.number().int().nullable(),
  docker_version: z.string().nullable(),
  compose_version: z.string().nullable().meta({
    description: 'Null where Docker Compose is not installed. Compose applications need 2.20 or newer.',
  }),
  last_seen_at: time.nullable(),
  created_at: time,
})

const params = z.object({ id: givenId('server') })
const reply = z.object({ server })

const hostName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?)*\.?$/i
const ipv6 = /^[0-9a-f:]*:[0-9a-f:.]*$/i
const address = text(253)
  .trim()
  .refine((value) => hostName.test(value) || ipv6.test(value), {
    error: 'Must be a host name or an IP address, such as 203.0.113.7.',
  })
export const port = z
  .int({ error: 'Must be a whole number.' })
  .min(1, { error: 'Must be from 1 to 65535.' })
  .max(65_535, { error: 'Must be from 1 to 65535.' })
export const user = text(32).regex(/^[a-z_][a-z0-9_.-]*\$?$/i, {
  error: 'Must be the name of a user on the server, such as root.',
})
const labels = z
  .array(name(50))
  .max(20, { error: 'Must be at most 20.' })
  .transform((list) => [...new Set(list)])

/** What is made, in the words of the provider. */
const ordered = {
  region: text(50, 1),
  type: text(100, 1),
  image: text(100, 1),
}

const tellsItself = 'Leave this out: a server that a cloud makes tells Slipway by itself how it is reached.'

export const listServers = endpoint('GET /v1/servers', {
  access: 'servers.read',
  summary: 'The servers of the workspace, what needs attention first',
  query: z.strictObject({ ...pageQuery, q: text(100).optional(), project_id: givenId('project').optional() }),
  reply: listOf('servers', server),
})

export const createServer = endpoint('POST /v1/servers', {
  access: 'servers.manage',
  summary:
    'Add a server that is reached over SSH, whose key is to be authorised there; or, with `cloud`, have one made by a cloud',
  body: z
    .strictObject({
      name: name(),
      address: address.optional(),
      port: port.optional().meta({ description: '22 where it is left out.' }),
      user: user.optional().meta({ description: 'root where it is left out.' }),
      labels: labels.default([]),
      cloud: z
        .strictObject({
          cloud_token_id: givenId('cloudToken'),
          ...ordered,
        })
        .optional(),
    })
    .refine(({ address: given, cloud: made }) => (given === undefined) !== (made === undefined), {
      error: 'Give the address of a server, or say what a cloud is to make; one of the two.',
      path: ['address'],
    })
    .refine(({ port: given, cloud: made }) => given === undefined || made === undefined, {
      error: tellsItself,
      path: ['port'],
    })
    .refine(({ user: given, cloud: made }) => given === undefined || made === undefined, {
      error: tellsItself,
      path: ['user'],
    }),
  reply,
  status: 201,
  idempotent: true,
})

export const getServer = endpoint('GET /v1/servers/{id}', {
  access: 'servers.read',
  summary: 'A server',
  params,
  reply,
})

export const updateServer = endpoint('PUT /v1/servers/{id}', {
  access: 'servers.manage',
  summary: 'Change a server. Another address or port needs its host key confirmed again',
  params,
  body: z
    .strictObject({
      name: name(),
      address,
      port,
      user,
      labels,
      http_port: port,
      https_port: port,
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'Name something to change.' }),
  reply,
})

export const deleteServer = endpoint('DELETE /v1/servers/{id}', {
  access: 'servers.manage',
  summary:
    'Delete a server from Slipway. Nothing is stopped or removed on the machine itself, unless it is to be destroyed at its cloud',
  params,
  query: z.strictObject({
    cloud: z
      .enum(['keep', 'destroy'], { error: 'Must be keep or destroy.' })
      .default('keep')
      .meta({ description: 'What becomes of it at its cloud, where it goes on costing while it exists.' }),
  }),
  reply: success,
})

export const provisionServer = endpoint('POST /v1/servers/{id}/provision', {
  access: 'servers.manage',
  summary: 'Go on with a creation at a cloud that failed, with something else if nothing was made yet',
  params,
  body: z.strictObject({ name: name(), ...ordered }).partial(),
  reply,
  status: 202,
  limit: 30,
})

export const getServerKey = endpoint('GET /v1/servers/{id}/key', {
  access: 'servers.manage',
  summary: 'The public key that Slipway logs in with, and a command that authorises it',
  params,
  reply: z.object({
    key: z.object({ public_key: z.string(), fingerprint: z.string(), command: z.string() }),
  }),
})

export const connectServer = endpoint('POST /v1/servers/{id}/connect', {
  access: 'servers.manage',
  summary: 'Reach the server now: shows its host key when none is confirmed, else logs in and begins set-up',
  params,
  reply,
  // Each is a log-in or a handshake, for which servers shut out whoever comes too often.
  limit: 30,
})

export const trustHostKey = endpoint('POST /v1/servers/{id}/host-key', {
  access: 'servers.manage',
  summary: 'Confirm the host key that the server shows, named by its fingerprint; then it is set up',
  params,
  body: z.strictObject({ fingerprint: text(100, 1) }),
  reply,
  limit: 30,
})

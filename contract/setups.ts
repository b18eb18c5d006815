import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idInput, id } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'
import { outputEvent } from './shared/replies.ts'

export const setupSteps = ['connect', 'check', 'docker', 'compose', 'git', 'proxy', 'verify'] as const

export const setup = z.object({
  id: id('setup'),
  status: z.enum(['queued', 'running', 'completed', 'failed']),
  step: z.enum(setupSteps).nullable().describe('Current or failed step; null if there is none.'),
  error: z.string().nullable().describe('Reason for the failure and what to do.'),
  warnings: z
    .array(z.object({ step: z.enum(setupSteps), text: z.string() }))
    .describe('Warnings, such as missing optional components, and the step that reported them.'),
  actor: z.object({ name: z.string() }),
  created_at: time,
  finished_at: time.nullable(),
})

const params = z.object({ id: idInput('server') })

export const startSetup = endpoint('POST /v1/servers/{id}/setup', {
  access: 'servers.manage',
  summary: 'Set up the server',
  description: 'Installs Docker, Docker Compose, git and the proxy. Safe to repeat.',
  params,
  reply: z.object({ setup }),
  status: 202,
})

export const getSetup = endpoint('GET /v1/servers/{id}/setup', {
  access: 'servers.read',
  summary: 'Get the latest setup of the server',
  params,
  reply: z.object({ setup: setup.nullable() }),
})

export const streamSetup = endpoint('GET /v1/servers/{id}/setup/log', {
  access: 'servers.read',
  summary: 'Stream the log of the latest setup',
  description: 'Starts at the beginning, or after Last-Event-ID.',
  params,
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: outputEvent,
})

const setupChangeKinds = ['package', 'port', 'container', 'file', 'user'] as const

export const setupChange = z.object({
  kind: z.enum(setupChangeKinds),
  name: z.string().describe('Package, port, container, file or user.'),
  text: z.string().describe('Effect of setup on the item, and when it happens.'),
})

export const getSetupChanges = endpoint('GET /v1/setup-changes', {
  access: 'servers.read',
  summary: 'List what setup changes on a server',
  description: 'Packages, ports, containers, files and users. Nothing else changes.',
  query: z.strictObject({
    server_id: idInput('server')
      .optional()
      .describe('Server to set up. By default, a server that is not added yet.'),
    kind: z.enum(['ssh', 'local']).default('ssh').describe('Kind of the added server.'),
  }),
  reply: z.object({ changes: z.array(setupChange) }),
})

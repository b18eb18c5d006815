import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput } from './shared/ids.ts'
import { text } from './shared/text-fields.ts'
import { numberParameter } from './shared/numbers.ts'

export const terminalInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input'), data: z.string().max(65_536) }),
  z.strictObject({
    type: z.literal('resize'),
    cols: z.int().min(1).max(1_000),
    rows: z.int().min(1).max(1_000),
  }),
  // A client that sends `seen` never receives more than a megabyte ahead of what it has drawn.
  z.strictObject({
    type: z.literal('seen'),
    bytes: z.int().min(0).describe('Number of bytes of output that the client has displayed so far.'),
  }),
])

export const terminalMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    session: z.string().describe('ID for resuming the shell within one minute of a lost connection.'),
    resumed: z.boolean(),
    replay: z
      .int()
      .describe(
        'Number of bytes of earlier output that are sent first. Do not respond to terminal queries in this output.',
      ),
  }),
  z.object({
    type: z.literal('warning'),
    text: z.string().describe('Warning that the terminal closes unless there is input.'),
  }),
  z.object({ type: z.literal('end'), reason: z.string(), lost: z.boolean() }),
])

const query = z.strictObject({
  token: text(200).optional(),
  cols: numberParameter(1_000).default(80),
  rows: numberParameter(1_000).default(24),
  session: text(100).optional(),
})

export const openTerminal = endpoint('GET /v1/servers/{id}/terminal', {
  access: 'servers.root',
  summary: 'Open a shell on a server over a WebSocket',
  params: z.object({ id: idInput('server') }),
  query,
  kind: 'socket',
  reply: terminalMessage,
})

export const openContainerTerminal = endpoint('GET /v1/servers/{id}/containers/{cid}/terminal', {
  access: 'containers.shell',
  resource: 'container',
  summary: 'Open a shell in a container over a WebSocket',
  description:
    'Containers that have host access or belong to no application require root access to the server.',
  params: containerParams,
  query,
  kind: 'socket',
  reply: terminalMessage,
})

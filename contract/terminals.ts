import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { givenId, text } from './shared/ids.ts'

const side = (most: number, usual: number) =>
  z.coerce
    .number({ error: 'Must be a number.' })
    .int({ error: 'Must be a whole number.' })
    .min(1, { error: 'Must be at least 1.' })
    .max(most, { error: `Must be at most ${most}.` })
    .default(usual)

/** What the browser sends, as JSON in text messages. */
export const terminalInput = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('input'), data: z.string().max(65_536) }),
  z.strictObject({
    type: z.literal('resize'),
    cols: z.int().min(1).max(1_000),
    rows: z.int().min(1).max(1_000),
  }),
  // Whoever sends it once is never sent more than a megabyte ahead of what they have drawn.
  z.strictObject({ type: z.literal('seen'), bytes: z.int().min(0).meta({ description: 'In all, so far.' }) }),
])

/** What it gets besides the terminal's own bytes, which come as binary messages. */
export const terminalNews = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('opened'),
    session: z.string().meta({ description: 'Names the shell, to come back to it within a minute.' }),
    resumed: z.boolean(),
    replay: z
      .int()
      .meta({ description: 'How many bytes of what was said before come first: answer nothing in them.' }),
  }),
  z.object({
    type: z.literal('warning'),
    text: z.string().meta({ description: 'What is about to happen unless something is typed.' }),
  }),
  z.object({ type: z.literal('end'), why: z.string(), lost: z.boolean() }),
])

const query = z.strictObject({
  token: text(200).optional(),
  cols: side(1_000, 80),
  rows: side(1_000, 24),
  session: text(100).optional(),
})

export const openTerminal = endpoint('GET /v1/servers/{id}/terminal', {
  access: 'servers.root',
  summary: 'A shell on the server, over a web socket',
  params: z.object({ id: givenId('server') }),
  query,
  kind: 'socket',
  reply: terminalNews,
})

export const openContainerTerminal = endpoint('GET /v1/servers/{id}/containers/{cid}/terminal', {
  access: 'containers.shell',
  resource: 'container',
  summary:
    'A shell in a container, over a web socket; one with host access, or of no application, needs the right to act as root',
  params: containerParams,
  query,
  kind: 'socket',
  reply: terminalNews,
})

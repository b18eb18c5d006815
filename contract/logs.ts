import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput } from './shared/ids.ts'
import { text, time } from './shared/text-fields.ts'

export const logLine = z.object({
  stream: z.enum(['stdout', 'stderr']),
  text: z.string().describe('The line, without its line break. May contain ANSI escape sequences.'),
  at: time.optional().describe('Time of the line with nanoseconds. Only with `timestamps`.'),
})

/**
 * The event ID is the position after the last line; a client resumes there with `Last-Event-ID`. `missed` replaces
 * lines that a slow client lost.
 */
export const logEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({ type: z.literal('lines'), lines: z.array(logLine) }),
  z.object({ type: z.literal('missed'), lines: z.int() }),
  z.object({ type: z.literal('end'), reason: z.string() }),
])

const notAMoment = 'Must be a time such as 2030-01-31T12:00:00Z, or seconds since 1970.'
const lastSecond = 253_402_300_799

const moment = z
  .string()
  .regex(/^(\d{1,12}(\.\d{1,9})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d))$/, {
    error: notAMoment,
  })
  .refine(
    (value) => {
      const seconds = value.includes('T') ? Date.parse(value) / 1_000 : Number(value)
      return seconds >= 0 && seconds <= lastSecond
    },
    { error: notAMoment },
  )

const range = {
  token: text(200).optional(),
  tail: z
    .string()
    .regex(/^(all|\d{1,7})$/, { error: 'Must be a number of lines, or all.' })
    .optional()
    .describe('Number of lines from the end, or `all`. Defaults to 1000, or to `all` with `since`.'),
  since: moment.optional(),
  until: moment.optional(),
  timestamps: z.stringbool().default(false),
}

export const streamLogs = endpoint('GET /v1/servers/{id}/containers/{cid}/logs', {
  access: 'containers.read',
  resource: 'container',
  sessionInQuery: true,
  summary: 'Stream the log of a container',
  params: containerParams,
  query: z.strictObject({
    ...range,
    follow: z.stringbool().default(true),
    last_event_id: text(64)
      .optional()
      .describe('Replaces the Last-Event-ID header for clients that cannot set it.'),
  }),
  kind: 'events',
  reply: logEvent,
})

const { token, tail, since, timestamps } = range

export const streamAllLogs = endpoint('GET /v1/servers/{id}/logs', {
  access: 'containers.read',
  resource: 'containers',
  summary: 'Stream the logs of several containers',
  params: z.object({ id: idInput('server') }),
  query: z.strictObject({
    token,
    tail,
    since,
    timestamps,
    containers: text(2_000, 1)
      .transform((list) => [...new Set(list.split(','))])
      .pipe(z.array(containerParams.shape.cid).max(30, { error: 'Must have at most 30 containers.' }))
      .describe(
        'Container IDs, separated by commas. Lines of one container are in order; lines of different containers may not be.',
      ),
    last_event_id: text(2_000)
      .optional()
      .describe('Replaces the Last-Event-ID header for clients that cannot set it.'),
  }),
  kind: 'events',
  reply: z.object({ container: z.string(), event: logEvent }),
})

export const downloadLogs = endpoint('GET /v1/servers/{id}/containers/{cid}/logs/download', {
  access: 'containers.read',
  resource: 'container',
  summary: 'Download the log of a container as a file',
  params: containerParams,
  query: z.strictObject(range),
  kind: 'file',
  type: 'text/plain',
  reply: z.string(),
})

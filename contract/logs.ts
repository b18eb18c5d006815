import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { givenId, text, time } from './shared/ids.ts'

export const logLine = z.object({
  stream: z.enum(['stdout', 'stderr']),
  text: z.string().meta({ description: 'Without the end of the line, with its colours.' }),
  at: time.optional().meta({ description: 'With `timestamps`: when it was said, to the nanosecond.' }),
})

/**
 * `connected` first; then lines as they come; `missed` in their place when whoever reads is too slow; `end` when there
 * is no more. The id of an event is the place after its last line: `Last-Event-ID` goes on from there.
 */
export const logEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({ type: z.literal('lines'), lines: z.array(logLine) }),
  z.object({ type: z.literal('missed'), lines: z.number().int() }),
  z.object({ type: z.literal('end'), why: z.string() }),
])

const notAMoment = 'Must be a time such as 2030-01-31T12:00:00Z, or seconds since 1970.'
/** The last second that four digits of a year can tell. */
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
    .meta({ description: 'How many of the last lines: 1000 unless told, all with since.' }),
  since: moment.optional(),
  until: moment.optional(),
  timestamps: z.stringbool().default(false),
}

export const streamLogs = endpoint('GET /v1/servers/{id}/containers/{cid}/logs', {
  access: 'containers.read',
  resource: 'container',
  sessionInQuery: true,
  summary: 'What a container has said, and what it says from now on',
  params: containerParams,
  query: z.strictObject({
    ...range,
    follow: z.stringbool().default(true),
    last_event_id: text(64)
      .optional()
      .meta({ description: 'Instead of the header, which a browser that connects anew cannot set.' }),
  }),
  kind: 'events',
  reply: logEvent,
})

const { token, tail, since, timestamps } = range

export const streamAllLogs = endpoint('GET /v1/servers/{id}/logs', {
  access: 'containers.read',
  resource: 'containers',
  summary: 'What several containers of a server have said, and what they say from now on, in one stream',
  params: z.object({ id: givenId('server') }),
  query: z.strictObject({
    token,
    tail,
    since,
    timestamps,
    containers: text(2_000, 1)
      .transform((list) => [...new Set(list.split(','))])
      .pipe(z.array(containerParams.shape.cid).max(30, { error: 'Must be at most 30 containers.' }))
      .meta({ description: 'Their ids, with commas. Lines of each are in order; those of two need not be.' }),
    last_event_id: text(2_000)
      .optional()
      .meta({ description: 'Instead of the header, which a browser that connects anew cannot set.' }),
  }),
  kind: 'events',
  reply: z.object({ container: z.string(), said: logEvent }),
})

export const downloadLogs = endpoint('GET /v1/servers/{id}/containers/{cid}/logs/download', {
  access: 'containers.read',
  resource: 'container',
  summary: 'What a container has said so far, as a file; all of it unless told',
  params: containerParams,
  query: z.strictObject(range),
  kind: 'file',
  type: 'text/plain',
  reply: z.string(),
})

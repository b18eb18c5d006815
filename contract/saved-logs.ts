import { z } from 'zod'
import { applicationParams } from './applications.ts'
import { endpoint } from './endpoint.ts'
import { logEvent } from './logs.ts'
import { id, idInput } from './shared/ids.ts'
import { numberParameter } from './shared/numbers.ts'
import { pagedList, pageQuery } from './shared/replies.ts'
import { text, time } from './shared/text-fields.ts'

export const savedLog = z.object({
  id: id('savedLog'),
  release: z.int().describe('Number of the release that the container ran.'),
  deployment_id: id('deployment').nullable().describe('The deployment that started the container.'),
  service: z.string().nullable().describe('Service of a compose application.'),
  container: z.object({ id: z.string(), name: z.string() }),
  exit_code: z.int().nullable().describe('Null if the container was running until it was removed.'),
  restarts: z.int().describe('How often Docker restarted the container.'),
  lines: z.int(),
  bytes: z.int(),
  truncated: z.boolean().describe('Whether the oldest lines were dropped because of the size limit.'),
  first_at: time,
  last_at: time,
})

const params = applicationParams.extend({ log_id: idInput('savedLog') })

export const listSavedLogs = endpoint('GET /v1/applications/{id}/logs', {
  access: 'containers.read',
  resource: 'application',
  summary: 'List saved logs of removed containers, newest first',
  params: applicationParams,
  query: z.strictObject({
    ...pageQuery,
    release: numberParameter(1_000_000_000).optional(),
  }),
  reply: pagedList('logs', savedLog),
})

export const searchSavedLogs = endpoint('GET /v1/applications/{id}/logs/search', {
  access: 'containers.read',
  resource: 'application',
  summary: 'Search saved logs of removed containers, newest lines first',
  params: applicationParams,
  query: z.strictObject({
    q: text(200, 1).describe('Text to find. Not case-sensitive.'),
  }),
  reply: z.object({
    matches: z.array(
      z.object({
        log: savedLog.pick({ id: true, release: true, service: true, container: true }),
        stream: z.enum(['stdout', 'stderr']),
        text: z.string(),
        at: time,
      }),
    ),
    complete: z
      .boolean()
      .describe('False if there are more matches than returned, or the search took too long.'),
  }),
  limit: 30,
})

export const streamSavedLog = endpoint('GET /v1/applications/{id}/logs/{log_id}', {
  access: 'containers.read',
  resource: 'application',
  summary: 'Stream a saved log',
  params,
  query: z.strictObject({
    token: text(200).optional(),
    tail: numberParameter(1_000_000).optional().describe('Number of last lines. Defaults to all.'),
    since: z.iso.datetime({ offset: true }).optional(),
    timestamps: z.stringbool().default(false),
    last_event_id: text(64)
      .optional()
      .describe('Replaces the Last-Event-ID header for clients that cannot set it.'),
  }),
  kind: 'events',
  reply: logEvent,
})

export const downloadSavedLog = endpoint('GET /v1/applications/{id}/logs/{log_id}/download', {
  access: 'containers.read',
  resource: 'application',
  summary: 'Download a saved log as a file',
  params,
  query: z.strictObject({ token: text(200).optional(), timestamps: z.stringbool().default(false) }),
  kind: 'file',
  type: 'text/plain',
  reply: z.string(),
})

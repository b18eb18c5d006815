import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { idInput } from './shared/ids.ts'
import { timeInput, time } from './shared/text-fields.ts'

const metricsReply = <S extends z.ZodType>(point: S) =>
  z.object({
    metrics: z.object({
      since: time,
      step_seconds: z
        .int()
        .describe('Seconds between data points. A longer interval means that data is missing.'),
      points: z.array(point),
    }),
  })

const span = z.strictObject({ since: timeInput.optional(), until: timeInput.optional() })
const spanDescription =
  '`until` defaults to now, `since` to one hour before it. `since` can be at most 30 days ago.'

export const serverPoint = z.object({
  at: time,
  cpu: z.number().describe('CPU usage across all cores, from 0 to 1.'),
  memory_used: z.number(),
  memory_total: z.number(),
  disk_used: z.number(),
  disk_total: z.number(),
  network_in: z.number().describe('Bytes per second.'),
  network_out: z.number(),
  load_1: z.number(),
  load_5: z.number(),
  load_15: z.number(),
})

export const getServerMetrics = endpoint('GET /v1/metrics/servers/{id}', {
  access: 'servers.read',
  summary: 'Get the metrics of a server',
  description: spanDescription,
  params: z.object({ id: idInput('server') }),
  query: span,
  reply: metricsReply(serverPoint),
})

export const containerPoint = z.object({
  at: time,
  cpu: z.number().describe('CPU usage in cores.'),
  memory_used: z.number(),
  memory_limit: z.number(),
  network_in: z.number().describe('Bytes per second.'),
  network_out: z.number(),
  disk_read: z.number(),
  disk_written: z.number(),
})

export const getContainerMetrics = endpoint('GET /v1/metrics/servers/{id}/containers/{cid}', {
  access: 'containers.read',
  resource: 'container',
  summary: 'Get the metrics of a container',
  description: spanDescription,
  params: containerParams,
  query: span,
  reply: metricsReply(containerPoint),
})

const latency = z.number().nullable()

export const applicationPoint = z.object({
  at: time,
  requests: z.number().describe('Responses and TCP connections per second, excluding checks by Slipway.'),
  status_2xx: z
    .number()
    .describe('Responses per second with a status from 200 to 299. The next fields count the other classes.'),
  status_3xx: z.number(),
  status_4xx: z.number(),
  status_5xx: z.number(),
  bytes_in: z.number().describe('Per second.'),
  bytes_out: z.number(),
  latency_ms: z.number().describe('Average time until a response begins, in milliseconds.'),
  latency_p50_ms: latency.describe(
    'Half of the responses started within this time. Estimated from a histogram; null without responses.',
  ),
  latency_p95_ms: latency,
  latency_p99_ms: latency,
  sessions: z.number().describe('Open connections, including WebSockets and TCP.'),
  cpu: z.number().describe('CPU usage of all containers, in cores.'),
  memory_used: z.number(),
})

export const getApplicationMetrics = endpoint('GET /v1/metrics/applications/{id}', {
  access: 'applications.read',
  resource: 'application',
  summary: 'Get the metrics of an application',
  description: spanDescription,
  params: z.object({ id: idInput('application') }),
  query: span,
  reply: metricsReply(applicationPoint),
})

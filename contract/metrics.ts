import { z } from 'zod'
import { containerParams } from './containers.ts'
import { endpoint } from './endpoint.ts'
import { givenId, givenTime, time } from './ids.ts'

/** One moment of a server. Rates and shares are over the time since the sample before. */
export const serverPoint = z.object({
  at: time,
  cpu: z.number().meta({ description: 'Busy share of all cores, 0 to 1.' }),
  memory_used: z.number(),
  memory_total: z.number(),
  disk_used: z.number(),
  disk_total: z.number(),
  network_in: z.number().meta({ description: 'Bytes a second.' }),
  network_out: z.number(),
  load_1: z.number(),
  load_5: z.number(),
  load_15: z.number(),
})

export const getServerMetrics = endpoint('GET /v1/metrics/servers/{id}', {
  access: 'servers.read',
  summary: 'How busy the server was since a time (an hour ago, unless told), at most 30 days back',
  params: z.object({ id: givenId('server') }),
  query: z.strictObject({ since: givenTime.optional() }),
  reply: z.object({
    metrics: z.object({
      since: time,
      step_seconds: z.number().int().meta({ description: 'Between points; a longer silence is a gap.' }),
      points: z.array(serverPoint),
    }),
  }),
})

/** One moment of a container. */
export const containerPoint = z.object({
  at: time,
  cpu: z.number().meta({ description: 'In cores: 1 is one whole core.' }),
  memory_used: z.number(),
  memory_limit: z.number(),
  network_in: z.number().meta({ description: 'Bytes a second.' }),
  network_out: z.number(),
  disk_read: z.number(),
  disk_written: z.number(),
})

export const getContainerMetrics = endpoint('GET /v1/metrics/servers/{id}/containers/{cid}', {
  access: 'containers.read',
  summary: 'How busy a container was since a time (an hour ago, unless told), at most 30 days back',
  params: containerParams,
  query: z.strictObject({ since: givenTime.optional() }),
  reply: z.object({
    metrics: z.object({
      since: time,
      step_seconds: z.number().int().meta({ description: 'Between points; a longer silence is a gap.' }),
      points: z.array(containerPoint),
    }),
  }),
})

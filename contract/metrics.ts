import { z } from 'zod'
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

import { z } from 'zod'
import { time } from './text-fields.ts'

export const serverUsage = {
  usage: z
    .object({
      at: time,
      cpu: z.number().describe('CPU usage across all cores, from 0 to 1.'),
      memory_used: z.number(),
      memory_total: z.number(),
      disk_used: z.number(),
      disk_total: z.number(),
    })
    .nullable()
    .describe('Latest metrics and their time; null if there are none from the last day.'),
  applications: z.int().describe('Number of applications on the server.'),
  containers: z.object({ running: z.int(), total: z.int() }),
}

import type { Id } from '../../contract/shared/ids.ts'
import { insertApplicationSamples, insertServerSamples } from '../../server/areas/metrics/sample-writer.ts'
import type { Db } from '../../server/tables.ts'
import { ago, hour, minute } from './world-times.ts'

interface ServerFigures {
  cpu: number
  used: number
  memory: number
  filled: number
  disk: number
}

interface ServerOwner {
  workspace_id: Id<'workspace'>
  server_id: Id<'server'>
}

/** A day of usage until now. */
export async function makeServerFigures(db: Db, owner: ServerOwner, figures: ServerFigures) {
  await insertServerSamples(
    db,
    times().map((age, n) => ({
      ...owner,
      at: ago(age),
      cpu: figures.cpu * rhythm(age, n),
      memory_used: Math.round(figures.used * (0.97 + 0.03 * rhythm(age, n))),
      memory_total: figures.memory,
      disk_used: Math.round(figures.filled),
      disk_total: figures.disk,
      network_in: Math.round(240_000 * rhythm(age, n)),
      network_out: Math.round(910_000 * rhythm(age, n)),
      load_1: figures.cpu * 4 * rhythm(age, n),
      load_5: figures.cpu * 4,
      load_15: figures.cpu * 4,
    })),
  )
}

interface ApplicationOwner {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
}

/** A day of `traffic` requests per second, and of `memory` bytes. */
export async function makeApplicationFigures(
  db: Db,
  owner: ApplicationOwner,
  { traffic, memory, seed }: { traffic: number; memory: number; seed: number },
) {
  await insertApplicationSamples(
    db,
    times().map((age, n) => {
      const requests = traffic * rhythm(age + seed * hour, n * (1 + seed / 7))
      return {
        ...owner,
        at: ago(age),
        requests,
        status_2xx: requests * 0.953,
        status_3xx: requests * 0.03,
        status_4xx: requests * 0.016,
        status_5xx: requests * 0.001,
        bytes_in: requests * 800,
        bytes_out: requests * 24_000,
        latency_ms: requests > 0 ? 31 : 0,
        ...slower(requests, 0.8 + 0.2 * rhythm(age, n + 7)),
        sessions: requests / 2,
        cpu: 0.02 + requests / 130,
        memory_used: Math.round(memory * (0.96 + 0.04 * rhythm(age, n))),
      }
    }),
  )
}

/** Dense in the last hour, as the charts expect; one per five minutes before. */
const times = () => [
  ...Array.from({ length: 360 }, (_, n) => n * 10_000),
  ...Array.from({ length: 276 }, (_, n) => hour + n * 5 * minute),
]

/** Busy by day and quiet by night, around 1. */
const rhythm = (age: number, n: number) =>
  0.75 + 0.45 * Math.sin(2 + age / (4 * hour)) ** 2 + 0.09 * Math.sin(n * 1.7) + 0.06 * Math.sin(n * 0.61)

const slower = (requests: number, tail: number) => ({
  slower_0: requests,
  slower_5: requests,
  slower_10: requests * 0.9,
  slower_20: requests * 0.5,
  slower_50: requests * 0.06 * tail,
  slower_100: requests * 0.012 * tail,
  slower_200: requests * 0.002,
  slower_500: 0,
  slower_1000: 0,
  slower_2000: 0,
  slower_5000: 0,
  slower_10000: 0,
})

import { RemoteError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { type ContainerReading, parseContainerStats, toContainerSample } from './container-sample.ts'
import type { Sample } from './series.ts'
import { pause } from '../../platform/async.ts'

/** Milliseconds between the first two readings, so that metrics are available early. */
const FIRST_INTERVAL = 1_000
const LIMIT = 5_000

export interface ContainerSampler {
  sample(ids: readonly string[]): Promise<(Sample<'container'> & { id: string })[]>
  keepOnly(ids: readonly string[]): void
}

export function createContainerSampler(docker: Docker, signal: AbortSignal): ContainerSampler {
  const readings = new Map<string, ContainerReading>()

  async function sampleOne(id: string) {
    const before = readings.get(id) ?? (await readFirst(id))
    const now = before && (await read(id))
    if (now) readings.set(id, now)
    else readings.delete(id)
    const sample = before && now && toContainerSample(before, now)
    return sample ? [{ id, ...sample }] : []
  }

  async function readFirst(id: string) {
    const first = await read(id)
    if (first) await pause(FIRST_INTERVAL, signal)
    return first
  }

  async function read(id: string): Promise<ContainerReading | undefined> {
    const path = `/containers/${encodeURIComponent(id)}/stats?stream=false&one-shot=true`
    try {
      return parseContainerStats(await docker.json({ path, signal, timeout: LIMIT }))
    } catch (error) {
      if (signal.aborted || error instanceof RemoteError) return undefined
      throw error
    }
  }

  return {
    sample: async (ids) => (await Promise.all(ids.map(sampleOne))).flat(),
    keepOnly(ids) {
      const kept = new Set(ids)
      for (const id of readings.keys()) if (!kept.has(id)) readings.delete(id)
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'

/** The parts of Docker's answer that are used. */
interface BuildCacheRecord {
  ID: string
  Parent: string
  Type: string
  /** An image has it too. */
  Shared: boolean
  Size: number
}

/** Docker adds up all volumes to answer; a preview is not kept waiting for that. */
const timeoutMs = 15_000

/**
 * The layers that builds keep of images, each as the sizes from the lowest layer up to it: their names are not told. A
 * layer that was not made by a build here has none, which is written as 0.
 */
export async function readBuildCache(docker: Docker): Promise<number[][]> {
  const records = await readRecords(docker)
  const byId = new Map(records.map((record) => [record.ID, record]))
  const sizesOf = (record: BuildCacheRecord, seen = 0): number[] => {
    const below = seen < byId.size ? byId.get(record.Parent) : undefined
    return [...(below ? sizesOf(below, seen + 1) : []), record.Size]
  }
  return records
    .filter(({ Type: type, Shared: shared }) => type === 'regular' && shared)
    .map((record) => sizesOf(record))
}

/** Nothing is known of it when Docker is too slow. It answers one at a time, and refuses all others meanwhile. */
async function readRecords(docker: Docker): Promise<BuildCacheRecord[]> {
  const signal = AbortSignal.timeout(timeoutMs)
  for (;;) {
    try {
      const { BuildCache: cached } = await docker.json<{ BuildCache: BuildCacheRecord[] | null }>({
        path: '/system/df',
        signal,
      })
      return cached ?? []
    } catch (error) {
      if (signal.aborted) return []
      if (!(error instanceof DockerError && /already running/.test(error.message))) throw error
      await sleep(200)
    }
  }
}

/** Whether a layer of the cache may be one of an image with these layers. */
export const matchesCachedLayers = (cached: number[], layers: number[]) =>
  cached.length <= layers.length && cached.every((size, n) => size === 0 || size === layers[n])

import { createHash } from 'node:crypto'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { setTimeout as sleep } from 'node:timers/promises'

interface Inspected {
  RootFS: { Layers?: string[] | null }
}
interface Step {
  Size: number
  CreatedBy: string
}

interface LayerStack {
  id: string
  /** Each chain ID identifies a layer together with all below it. */
  chains: string[]
  /** Cumulative bytes, or an upper bound when Docker does not report them. */
  upTo: number[]
}

/**
 * Computes the bytes that are freed: layers of other images or the build cache stay. Docker reports sizes for build
 * steps, not layers; where they cannot be matched, this counts less. Reads everything before the removal, because
 * removed images cannot be inspected.
 */
export async function measureFreedBytes(
  docker: Docker,
  ids: string[],
): Promise<(going: ReadonlySet<string>) => number> {
  const stacks = await readStacks(docker, ids)
  const sizes = sizesOf(stacks)
  const builds = await readBuildCache(docker)
  return (going) => bytesFreed(stacks, sizes, builds, going)
}

function bytesFreed(
  stacks: LayerStack[],
  sizes: Map<string, number>,
  builds: number[][],
  going: ReadonlySet<string>,
): number {
  const gone = stacks.filter(({ id }) => going.has(id))
  const left = stacks.filter(({ id }) => !going.has(id))
  const layersOf = ({ chains }: LayerStack) => chains.map((chain) => sizes.get(chain) ?? 0)
  const cached = builds.filter((path) => !left.some((stack) => matchesCachedLayers(path, layersOf(stack))))
  const kept = new Set(left.flatMap(({ chains }) => chains))
  const freed = new Set<string>()
  for (const stack of gone) {
    const held = cached
      .filter((path) => matchesCachedLayers(path, layersOf(stack)))
      .map((path) => path.length)
    for (const [n, chain] of stack.chains.entries())
      if (n < Math.max(0, ...held)) kept.add(chain)
      else freed.add(chain)
  }
  return [...freed].reduce((sum, chain) => sum + (kept.has(chain) ? 0 : (sizes.get(chain) ?? 0)), 0)
}

/** Every image gives an upper bound for a layer, so the minimum holds for all. */
function sizesOf(stacks: LayerStack[]): Map<string, number> {
  const upTo = new Map<string, number>()
  for (const { chains, upTo: own } of stacks)
    for (const [n, chain] of chains.entries())
      upTo.set(chain, Math.min(upTo.get(chain) ?? Infinity, own[n] ?? 0))
  const sizes = stacks.flatMap(({ chains }) =>
    chains.map((chain, n): [string, number] => {
      const below = upTo.get(chains[n - 1] ?? '') ?? 0
      return [chain, (upTo.get(chain) ?? 0) - below]
    }),
  )
  return new Map(sizes)
}

const atOnce = 16

async function readStacks(docker: Docker, ids: string[]): Promise<LayerStack[]> {
  const stacks: LayerStack[] = []
  for (let from = 0; from < ids.length; from += atOnce)
    stacks.push(
      ...(await Promise.all(ids.slice(from, from + atOnce).map((id) => readStack(docker, id)))).flat(),
    )
  return stacks
}

/** Returns an empty list when the image was removed meanwhile. */
async function readStack(docker: Docker, id: string): Promise<LayerStack[]> {
  try {
    const [{ RootFS: root }, history] = await Promise.all([
      docker.json<Inspected>({ path: `/images/${id}/json` }),
      docker.json<Step[]>({ path: `/images/${id}/history` }),
    ])
    const chains = chainsOf(root.Layers ?? [])
    return [{ id, chains, upTo: cumulativeLayerSizes(history.toReversed(), chains.length) }]
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return []
    throw error
  }
}

function chainsOf(layers: string[]): string[] {
  let below = ''
  return layers.map((layer) => (below = createHash('sha256').update(`${below} ${layer}`).digest('hex')))
}

/** Metadata steps create no layer; steps that change files create one, possibly empty. */
const metadataOnly =
  /^(\/bin\/sh -c #\(nop\) +)?(ENV|CMD|LABEL|EXPOSE|ENTRYPOINT|USER|VOLUME|ARG|STOPSIGNAL|HEALTHCHECK|SHELL|ONBUILD|MAINTAINER)\b/

/** Exported for its test. */
export function cumulativeLayerSizes(steps: Step[], layers: number): number[] {
  const likely = steps.filter(({ Size: size, CreatedBy: by }) => size > 0 || !metadataOnly.test(by))
  // When the counts differ, empty layers are assumed to be the last, so that no layer is underestimated.
  const made = likely.length === layers ? likely : steps.filter(({ Size: size }) => size > 0)
  let sum = 0
  return Array.from({ length: layers }, (_, n) => (sum += made[n]?.Size ?? 0))
}

interface BuildCacheRecord {
  ID: string
  Parent: string
  Type: string
  Shared: boolean
  Size: number
}

/** Docker measures all volumes for this request, so a preview must not wait for it. */
const timeoutMs = 15_000

/**
 * The build cache reports sizes but no IDs, so layers are compared by cumulative sizes; 0 marks a layer that was not
 * built here.
 */
async function readBuildCache(docker: Docker): Promise<number[][]> {
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

/** Returns nothing when Docker is too slow. Docker handles one such request at a time and refuses others. */
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

/** Whether a cached layer may belong to an image with these layers. */
const matchesCachedLayers = (cached: number[], layers: number[]) =>
  cached.length <= layers.length && cached.every((size, n) => size === 0 || size === layers[n])

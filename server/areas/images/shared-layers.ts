import { createHash } from 'node:crypto'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { setTimeout as sleep } from 'node:timers/promises'

/** The parts of Docker's answers that are used. */
interface Inspected {
  RootFS: { Layers?: string[] | null }
}
interface Step {
  Size: number
  CreatedBy: string
}

/** What an image consists of, its lowest layer first. */
interface LayerStack {
  id: string
  /** Each stands for a layer together with all below it. */
  chains: string[]
  /** The bytes up to each of them, or more where Docker does not tell. */
  upTo: number[]
}

/**
 * Tells the bytes that are free once some of these images are gone: layers that one of the others has, or a build keeps,
 * stay. Docker names sizes for the steps of an image and not for its layers; where the two cannot be matched it counts
 * less. All is read before, as what is gone cannot be asked for any more.
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

/** Of each layer. Every image that has it tells at most how much lies up to it; the least of it is true for all. */
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

/** None of one that somebody else removed meanwhile. */
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

/** Steps that only say something of the image make no layer; those that change files make one, be it an empty one. */
const metadataOnly =
  /^(\/bin\/sh -c #\(nop\) +)?(ENV|CMD|LABEL|EXPOSE|ENTRYPOINT|USER|VOLUME|ARG|STOPSIGNAL|HEALTHCHECK|SHELL|ONBUILD|MAINTAINER)\b/

/** Exported for its test. */
export function cumulativeLayerSizes(steps: Step[], layers: number): number[] {
  const likely = steps.filter(({ Size: size, CreatedBy: by }) => size > 0 || !metadataOnly.test(by))
  // Where it does not work out, the empty layers are taken for the last: then no layer counts for less than it may have.
  const made = likely.length === layers ? likely : steps.filter(({ Size: size }) => size > 0)
  let sum = 0
  return Array.from({ length: layers }, (_, n) => (sum += made[n]?.Size ?? 0))
}

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
const matchesCachedLayers = (cached: number[], layers: number[]) =>
  cached.length <= layers.length && cached.every((size, n) => size === 0 || size === layers[n])

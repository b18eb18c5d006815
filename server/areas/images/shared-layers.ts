import { createHash } from 'node:crypto'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'

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

/** Docker reports sizes of build steps, not layers; where they cannot be matched, this counts less. */
export async function measureFreedBytes(
  docker: Docker,
  ids: string[],
): Promise<(going: ReadonlySet<string>) => number> {
  // Everything is read before the removal, because removed images cannot be inspected.
  const stacks = await readStacks(docker, ids)
  const sizes = computeLayerSizes(stacks)
  return (going) => {
    const kept = new Set(stacks.filter(({ id }) => !going.has(id)).flatMap(({ chains }) => chains))
    const freed = new Set(stacks.flatMap(({ chains }) => chains).filter((chain) => !kept.has(chain)))
    return [...freed].reduce((sum, chain) => sum + (sizes.get(chain) ?? 0), 0)
  }
}

/** Every image gives an upper bound for a layer, so the minimum holds for all. */
function computeLayerSizes(stacks: LayerStack[]): Map<string, number> {
  const upTo = new Map<string, number>()
  for (const { chains, upTo: bounds } of stacks)
    for (const [n, chain] of chains.entries())
      upTo.set(chain, Math.min(upTo.get(chain) ?? Infinity, bounds[n] ?? 0))
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

async function readStack(docker: Docker, id: string): Promise<LayerStack[]> {
  try {
    const [{ RootFS: root }, history] = await Promise.all([
      docker.json<Inspected>({ path: `/images/${id}/json` }),
      docker.json<Step[]>({ path: `/images/${id}/history` }),
    ])
    const chains = computeChainIds(root.Layers ?? [])
    return [{ id, chains, upTo: cumulativeLayerSizes(history.toReversed(), chains.length) }]
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return []
    throw error
  }
}

function computeChainIds(layers: string[]): string[] {
  let below = ''
  return layers.map((layer) => (below = createHash('sha256').update(`${below} ${layer}`).digest('hex')))
}

/** Metadata steps create no layer; steps that change files create one, possibly empty. */
const metadataOnly =
  /^(\/bin\/sh -c #\(nop\) +)?(ENV|CMD|LABEL|EXPOSE|ENTRYPOINT|USER|VOLUME|ARG|STOPSIGNAL|HEALTHCHECK|SHELL|ONBUILD|MAINTAINER)\b/

export function cumulativeLayerSizes(steps: Step[], layers: number): number[] {
  const likely = steps.filter(({ Size: size, CreatedBy: by }) => size > 0 || !metadataOnly.test(by))
  // When the counts differ, empty layers are assumed to be the last, so that no layer is underestimated.
  const made = likely.length === layers ? likely : steps.filter(({ Size: size }) => size > 0)
  let sum = 0
  return Array.from({ length: layers }, (_, n) => (sum += made[n]?.Size ?? 0))
}

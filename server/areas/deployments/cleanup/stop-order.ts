import type { Context } from '../../../context.ts'
import type { Instance } from '../../applications/instance.ts'
import { composeOf, findReleases } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { startWaves } from '../../compose/start-order.ts'
import { UnsupportedCompose } from '../../compose/read/unsupported-compose.ts'

/** Groups containers in stop order: dependents before their dependencies. */
export async function inStopOrder(ctx: Context, instances: Instance[]): Promise<Instance[][]> {
  const names = new Set(instances.map(({ service }) => service))
  if (names.size < 2) return [instances]
  const waves = wavesIn(await modelOf(ctx, instances), names)
  return waves.toReversed().map((wave) => instances.filter(({ service }) => wave.includes(service)))
}

/** Merges the models of the releases; the newer definition of a service wins. */
async function modelOf(ctx: Context, instances: Instance[]): Promise<Model> {
  const [first] = instances
  const ids = instances.map(({ release_id }) => release_id)
  const releases = first ? await findReleases(ctx.db, first.workspace_id, ids) : []
  const models = releases.flatMap((release) => composeOf(ctx, release)?.model ?? [])
  const services = Object.assign({}, ...models.map((model) => model.services))
  return { services, networks: {}, volumes: {}, secrets: {}, configs: {} }
}

/** Two releases together may have a dependency cycle; then all stop at once. */
function wavesIn(model: Model, names: ReadonlySet<string>): string[][] {
  try {
    return startWaves(model, names)
  } catch (error) {
    if (error instanceof UnsupportedCompose) return [[...names]]
    throw error
  }
}

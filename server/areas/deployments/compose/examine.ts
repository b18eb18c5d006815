import type { Pair } from '../../../../contract/shared/entries.ts'
import { isBuildFit } from '../../../../contract/shared/compose-version.ts'
import type { Context } from '../../../context.ts'
import { readBuildxVersion, readComposeVersion } from '../../../remote/compose.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { applicationFolderOf } from '../../containers/application-folder.ts'
import { subnetsOf } from '../../compose/privileges/network-powers.ts'
import type { LiftedPort } from '../../compose/ports.ts'
import { refusalsOf } from '../../compose/privileges/refusals.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import { addressWarnings, projectWarnings } from './address-warnings.ts'
import { lookAtNetworks, networksFor, type WantedNetwork } from './compose-networks.ts'
import { lookAtVolumes } from './compose-volumes.ts'
import { withoutValues } from '../run/environment.ts'
import { foreignContainers } from '../networks/foreign-networks.ts'
import { imageProblems } from './image-problems.ts'
import { takenNames } from '../networks/name-problems.ts'
import { listNetworks } from '../networks/network.ts'
import type { NetworkThere } from '../networks/network-definition.ts'
import { newPowers } from './new-powers.ts'
import { portProblems } from './port-problems.ts'
import { publishedBy } from './published-by.ts'
import { readRoutes } from '../networks/read-routes.ts'
import { isRouted } from '../containers/routed.ts'
import { whyNoBuildx } from '../source/why-not-built.ts'
import { whyNoProxy } from '../containers/why-no-proxy.ts'
import { overlaps } from '../../compose/privileges/overlaps.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

interface Options {
  /** What the file is filled with: no value of it is told. */
  env: readonly Pair[]
  /** One that is gone back to. */
  release?: Release | undefined
  signal: AbortSignal
}

/** As sentences. */
export interface Examined {
  /** Why it cannot be deployed. */
  refused: string[]
  /** Power over the server that what runs does not have already. */
  powers: string[]
  warnings: string[]
  /** What of its networks and volumes is otherwise than the file says, and stays so. */
  differing: string[]
}

/** All that a compose file wants of the server. A plan tells just what a deployment would find. */
export async function examine(of: Of, model: Model, options: Options): Promise<Examined> {
  const found = await look(of, model, options)
  const untold = (said: string[]) => [...new Set(said.map((one) => withoutValues(one, options.env)))]
  return {
    refused: untold(found.refused),
    powers: untold(found.powers),
    warnings: untold(found.warnings),
    differing: untold(found.differing),
  }
}

async function look(of: Of, model: Model, { release, signal }: Options): Promise<Examined> {
  const { ctx, application, server } = of
  const ports = publishedBy(model, server)
  // What was live once was looked at then.
  const wrong = release ? [] : [...refusalsOf(model, applicationFolderOf(application)), ...ports.problems]
  if (wrong.length > 0) return { refused: wrong, powers: [], warnings: [], differing: [] }
  const { docker } = hostOf(ctx, server)
  const listed = listNetworks(docker, { signal })
  const [all, reached, taken, built, names, images, volumes, powers, addresses, outside, foreign] =
    await Promise.all([
      listed,
      proxyProblems(of, ports.lifted, signal),
      portProblems(of, ports.lifted, signal),
      release ? [] : buildProblems(of, model, signal),
      takenNames(of, model, signal),
      imageProblems(of, model, { release, signal }),
      lookAtVolumes(docker, application, model, signal),
      powersOn(of, model, { listed, signal, wasLive: release !== undefined }),
      addressWarnings(of, model),
      projectWarnings(of, model),
      foreignContainers(application, docker, model, signal),
    ])
  const wanted = networksFor(application, model, all)
  const networks = lookAtNetworks(application, wanted)
  const missing = [...networks.refused, ...volumes.refused, ...subnetProblems(wanted, all)]
  return {
    refused: [...reached, ...taken, ...built, ...names, ...images, ...missing, ...foreign],
    powers,
    warnings: [...ports.warnings, ...addresses, ...outside],
    differing: [...networks.warnings, ...volumes.warnings],
  }
}

async function proxyProblems(of: Of, lifted: LiftedPort[], signal: AbortSignal): Promise<string[]> {
  if (lifted.length === 0 && !(await isRouted(of.ctx.db, of.application))) return []
  return [await whyNoProxy(of, signal)].flatMap((why) => why ?? [])
}

async function buildProblems({ ctx, server }: Of, model: Model, signal: AbortSignal): Promise<string[]> {
  if (!Object.values(model.services).some(({ build }) => build)) return []
  const host = hostOf(ctx, server)
  const [compose, buildx] = await Promise.all([
    readComposeVersion(host, signal),
    readBuildxVersion(host, signal),
  ])
  return isBuildFit(compose, buildx) ? [] : [whyNoBuildx(server.name)]
}

async function powersOn(
  of: Of,
  model: Model,
  { listed, signal, wasLive }: { listed: Promise<NetworkThere[]>; signal: AbortSignal; wasLive: boolean },
): Promise<string[]> {
  const isAsked = Object.values(model.networks).some(
    ({ external, name, ipam }) => external || name !== undefined || subnetsOf(ipam).length > 0,
  )
  const routes = isAsked ? await readRoutes(hostOf(of.ctx, of.server), await listed, signal) : []
  return newPowers(of, model, { routes, signal, wasLive })
}

interface Chosen {
  key: string
  subnet: string
}

/** The addresses that the file itself chooses for networks that are still to be made. */
const addressesChosen = (wanted: readonly WantedNetwork[]): Chosen[] =>
  wanted
    .filter(({ network, there }) => !network.external && !there)
    .flatMap(({ key, network }) => subnetsOf(network.ipam).map((subnet) => ({ key, subnet })))

/** Docker makes no network with addresses that another one of its networks has: which would be such, as sentences. */
function subnetProblems(wanted: readonly WantedNetwork[], all: readonly NetworkThere[]): string[] {
  const had = all.flatMap(({ IPAM }) => IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? [])
  const chosen = addressesChosen(wanted)
  return chosen.flatMap(({ key, subnet }, at) => {
    const other = chosen.slice(0, at).find((one) => overlaps(one.subnet, subnet))
    if (other) return [`The subnets of the networks ${other.key} and ${key} overlap (${subnet}). ${todo}`]
    const met = had.find((one) => overlaps(one, subnet))
    return met === undefined
      ? []
      : [
          `The subnet ${subnet} of network ${key} overlaps with ${met} of another Docker network on the server. ${todo}`,
        ]
  })
}

const todo = 'Choose another subnet in the compose file, or remove it.'

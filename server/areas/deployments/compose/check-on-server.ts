import { canComposeBuild } from '../../../../contract/shared/compose-limits.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { readBuildxVersion, readComposeVersion } from '../../../remote/compose.ts'
import { approvalInstructions } from '../../applications/host-access.ts'
import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import type { ProxyPort } from '../../compose/ports.ts'
import { findForbiddenMounts } from '../../compose/privileges/host-paths.ts'
import { listSubnets } from '../../compose/privileges/network-access.ts'
import { subnetsOverlap } from '../../compose/privileges/subnets.ts'
import { applicationFolderPath } from '../../containers/application-folder.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { composePorts, portProblems } from '../containers/published-ports.ts'
import {
  isRouted,
  listRoutedServices,
  listRouteTargets,
  isProxyMissing,
  type RouteTarget,
} from '../containers/route-targets.ts'
import { foreignContainers } from '../networks/foreign-networks.ts'
import { listNameConflicts } from '../networks/name-conflicts.ts'
import { readRoutes } from '../networks/addresses.ts'
import { type ExistingNetwork, listNetworks } from '../../servers/docker-networks.ts'
import { maskEnvironmentValues } from '../run/redact.ts'
import { buildxMissingMessage } from '../source/build-failure.ts'
import { checkNetworks, type RequiredNetwork, requiredNetworks } from './compose-networks.ts'
import { checkVolumes } from './compose-volumes.ts'
import { listNewHostAccess } from './new-host-access.ts'
import { findNetworkProject } from '../../applications/application.ts'
import { isReachableInProject } from '../../compose/proxy-network.ts'
import { readReplicas } from '../../compose/read/read-service.ts'
import type { ServerScope } from '../run/deployment-run.ts'

interface CheckOptions {
  env: readonly Pair[]
  release?: Release | undefined
  signal: AbortSignal
}

export interface ServerComposeCheck {
  refused: string[]
  hostAccess: string[]
  warnings: string[]
  differing: string[]
}

export async function checkComposeOnServer(
  of: ServerScope,
  model: Model,
  options: CheckOptions,
): Promise<ServerComposeCheck> {
  const findings = await runChecks(of, model, options)
  const mask = (text: string[]) => [...new Set(text.map((one) => maskEnvironmentValues(one, options.env)))]
  return {
    refused: mask(findings.refused),
    hostAccess: mask(findings.hostAccess),
    warnings: mask(findings.warnings),
    differing: mask(findings.differing),
  }
}

async function runChecks(
  of: ServerScope,
  model: Model,
  { release, signal }: CheckOptions,
): Promise<ServerComposeCheck> {
  const { ctx, application, server } = of
  const ports = composePorts(model, server)
  // A release that was live passed these checks before.
  const wrong = release
    ? []
    : [...findForbiddenMounts(model, applicationFolderPath(application)), ...ports.problems]
  if (wrong.length > 0) return { refused: wrong, hostAccess: [], warnings: [], differing: [] }
  const { docker } = getServerHost(ctx, server)
  const listed = listNetworks(docker, { signal })
  const [all, reached, taken, built, names, volumes, hostAccess, addresses, outside, foreign] =
    await Promise.all([
      listed,
      proxyWarnings(of, ports.viaProxy, signal),
      portProblems(of, ports.viaProxy, signal),
      release ? [] : buildProblems(of, model, signal),
      listNameConflicts(of, model, signal),
      checkVolumes(docker, application, model, signal),
      findNewHostAccess(of, model, { listed, signal, wasLive: release !== undefined }),
      addressWarnings(of, model),
      projectWarnings(of, model),
      foreignContainers(application, docker, model, signal),
    ])
  const wanted = requiredNetworks(application, model, all)
  const networks = checkNetworks(application, wanted)
  const missing = [...networks.refused, ...volumes.refused, ...subnetProblems(wanted, all)]
  return {
    refused: [...taken, ...built, ...names, ...missing, ...foreign],
    hostAccess,
    warnings: [...reached, ...ports.warnings, ...addresses, ...outside],
    differing: [...networks.warnings, ...volumes.warnings],
  }
}

/** Only a plan needs this check: a deployment has set up the server before. */
async function proxyWarnings(of: ServerScope, lifted: ProxyPort[], signal: AbortSignal): Promise<string[]> {
  if (lifted.length === 0 && !(await isRouted(of.ctx.db, of.application))) return []
  const { name } = of.server
  return (await isProxyMissing(of, signal))
    ? [`The proxy on ${name} is not running. The deployment sets up the server first.`]
    : []
}

async function buildProblems(
  { ctx, server }: ServerScope,
  model: Model,
  signal: AbortSignal,
): Promise<string[]> {
  if (!Object.values(model.services).some(({ build }) => build)) return []
  const host = getServerHost(ctx, server)
  const [compose, buildx] = await Promise.all([
    readComposeVersion(host, signal),
    readBuildxVersion(host, signal),
  ])
  return canComposeBuild(compose, buildx) ? [] : [buildxMissingMessage(server.name)]
}

async function findNewHostAccess(
  of: ServerScope,
  model: Model,
  { listed, signal, wasLive }: { listed: Promise<ExistingNetwork[]>; signal: AbortSignal; wasLive: boolean },
): Promise<string[]> {
  const isAsked = Object.values(model.networks).some(
    ({ external, name, ipam }) => external || name !== undefined || listSubnets(ipam).length > 0,
  )
  const routes = isAsked ? await readRoutes(getServerHost(of.ctx, of.server), await listed, signal) : []
  return listNewHostAccess(of, model, { routes, signal, wasLive })
}

interface ChosenSubnet {
  key: string
  subnet: string
}

const chosenSubnets = (wanted: readonly RequiredNetwork[]): ChosenSubnet[] =>
  wanted
    .filter(({ network, there }) => !network.external && !there)
    .flatMap(({ key, network }) => listSubnets(network.ipam).map((subnet) => ({ key, subnet })))

/** Docker refuses networks with overlapping subnets. */
function subnetProblems(wanted: readonly RequiredNetwork[], all: readonly ExistingNetwork[]): string[] {
  const had = all.flatMap(({ IPAM }) => IPAM?.Config ?? []).flatMap(({ Subnet }) => Subnet ?? [])
  const chosen = chosenSubnets(wanted)
  return chosen.flatMap(({ key, subnet }, at) => {
    const other = chosen.slice(0, at).find((one) => subnetsOverlap(one.subnet, subnet))
    if (other) return [`The subnets of the networks ${other.key} and ${key} overlap (${subnet}). ${todo}`]
    const met = had.find((one) => subnetsOverlap(one, subnet))
    return met === undefined
      ? []
      : [
          `The subnet ${subnet} of network ${key} overlaps with ${met} of another Docker network on the server. ${todo}`,
        ]
  })
}

const todo = 'Choose another subnet in the compose file, or remove it.'

const hostAccessUnapproved = `This deployment needs host access that no admin has approved. ${approvalInstructions} To deploy without an admin, remove the settings that need host access from the compose file.`

export const composeHostAccessRefusal = ({
  hostAccess,
  allowHostAccess,
  isBack,
}: {
  hostAccess: readonly string[]
  allowHostAccess: boolean
  isBack: boolean
}): string | undefined =>
  hostAccess.length === 0 || allowHostAccess
    ? undefined
    : isBack
      ? 'This release needs host access that the live release does not have. Ask a workspace admin to roll back to it.'
      : hostAccessUnapproved

async function addressWarnings({ ctx, application }: ServerScope, model: Model): Promise<string[]> {
  const targets = await listRouteTargets(ctx.db, application)
  return targets
    .filter(({ kind }) => kind === 'address')
    .flatMap((target) => {
      const reason = brokenRouteReason(target, model)
      return reason === undefined ? [] : [`${target.from.replace(/^t/, 'T')} routes to ${reason}`]
    })
}

async function projectWarnings({ ctx, application, server }: ServerScope, model: Model): Promise<string[]> {
  const project = await findNetworkProject(ctx.db, application.workspace_id, application.id)
  if (!project) return []
  const routed = await listRoutedServices(ctx.db, application, composePorts(model, server).viaProxy)
  const outside = Object.entries(model.services)
    .filter(([name, service]) => !isReachableInProject(service, model, routed.has(name)))
    .map(([name]) => name)
    .toSorted()
  return outside.length === 0
    ? []
    : [
        `Other applications in project ${project.name} cannot reach ${outside.join(', ')}: only services with a domain, a published TCP port or \`expose\` join the project network, unless all their networks are internal.`,
      ]
}

function brokenRouteReason({ service }: RouteTarget, model: Model): string | undefined {
  const found = model.services[service]
  const todo = 'Choose another service, or remove the domain.'
  if (!found || !Object.hasOwn(model.services, service))
    return `the service ${service}, which is not deployed, so requests fail. ${todo}`
  if (readReplicas(found) === 0)
    return `the service ${service}, which is scaled to 0, so requests fail. ${todo}`
  return undefined
}

import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { command } from '../../../remote/command.ts'
import { defaultDockerRoot } from '../../../remote/docker.ts'
import { listUsedPorts, portInUseMessage } from '../../applications/entries/port-conflicts.ts'
import { findHostAccessRefusal } from '../../applications/host-access.ts'
import { listInstances } from '../../applications/instance.ts'
import { openReleaseConfiguration } from '../../applications/release.ts'
import { composePorts } from '../containers/published-ports.ts'
import { listPublishedPorts, isProxyMissing, isRouted } from '../containers/route-targets.ts'
import { createsRelease, enterSetupStep } from '../run/deployment.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  failureMessage,
  getRunHost,
  isUnreachable,
  nudgeDeployment,
  saveStepStart,
  toRunScope,
  writeWithLease,
} from '../run/deployment-run.ts'
import { requestedConfig, requestedEnvironment } from '../run/release-run.ts'
import { drainEarlierContainers, restoreEarlierContainers } from './drain.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { isComposeSupported } from '../../../../contract/shared/compose-limits.ts'
import { readComposeVersion } from '../../../remote/compose.ts'
import type { Model } from '../../compose/model.ts'
import type { ServerRow } from '../../servers/server.ts'
import { followSetup, startMissingSetup } from '../../servers/request-setup.ts'

export const checkDocker = (run: DeploymentRun) =>
  getRunHost(run).docker.json({ method: 'HEAD', path: '/_ping', signal: run.signal, timeout: 10_000 })

export async function checkPorts(run: DeploymentRun): Promise<void> {
  const { ctx, application, signal } = run
  const ports = await listPublishedPorts(ctx.db, application)
  if (ports.length === 0) return
  const addresses = ports.map((source) => ({ host: '', source }))
  for (const [port, by] of await listUsedPorts(getRunHost(run), addresses, { signal, ours: ports }))
    throw new DeploymentFailed(portInUseMessage(run.server(), port, by))
}

/** A failed cleanup of an earlier deployment must not fail this one. */
export async function cleanUpEarlier(
  run: DeploymentRun,
  clearBuilds: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    const { ctx, application } = run
    const instances = await listInstances(ctx.db, application.workspace_id, application.id)
    if (instances.some(({ state }) => state === 'draining')) await drainEarlierContainers(run)
    if (instances.some(({ state }) => state === 'held')) await restoreEarlierContainers(run)
    await clearBuilds()
  } catch (error) {
    run.signal.throwIfAborted()
    const message = failureMessage(run, error)
    if (!message || isUnreachable(error)) throw error
    run.log.write(`${message} Slipway will clean up after the earlier deployment later.`)
  }
}

export async function checkHostAccess(run: DeploymentRun): Promise<void> {
  const { ctx, application, deployment, release } = run
  if (deployment.allow_host_access) return
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : { config: requestedConfig(run), env: requestedEnvironment(run) }
  const wasLive = !createsRelease(deployment.type)
  const refusal = await findHostAccessRefusal(ctx, ctx.db, application, next, wasLive)
  if (refusal !== undefined) throw new DeploymentFailed(refusal)
}

const mebibyte = 1024 ** 2
/** With less free space Docker fails halfway. */
const minFreeBytes = 100 * mebibyte
const minToBuild = { disk: 1024 * mebibyte, memory: 256 * mebibyte }

/** Falls back to the root disk if the Docker folder is not readable. */
const readSpaceScript = 'df -Pk "$1" / 2>/dev/null; cat /proc/meminfo'

interface FreeSpace {
  free: number
  total: number
  memory: number | undefined
}

export async function checkFreeSpace(run: DeploymentRun): Promise<void> {
  const problem = freeSpaceProblem(run.server().name, await readFreeSpace(run, defaultDockerRoot), false)
  if (problem !== undefined) throw new DeploymentFailed(problem)
}

export async function readFreeSpace(run: DeploymentRun, folder: string): Promise<FreeSpace> {
  const read = command('sh', '-c', readSpaceScript, 'sh', folder)
  return parseFreeSpace((await getRunHost(run).run(read, { signal: run.signal })).stdout)
}

export function parseFreeSpace(text: string): FreeSpace {
  const lines = text.split('\n')
  const [, total, , free] = lines[1]?.trim().split(/\s+/) ?? []
  const memory = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return {
    total: Number(total) * 1024,
    free: Number(free) * 1024,
    memory: memory === undefined ? undefined : Number(memory) * 1024,
  }
}

export function freeSpaceProblem(
  server: string,
  { free, total, memory }: FreeSpace,
  isBuild: boolean,
): string | undefined {
  const least = isBuild ? Math.max(minFreeBytes, Math.min(minToBuild.disk, total / 10)) : minFreeBytes
  if (free < least)
    return isBuild
      ? `Not enough disk space on ${server}: ${formatBytes(free)} free, a build needs ${formatBytes(least)}. Remove unused images or add disk space, then deploy again.`
      : `Not enough disk space on ${server}: ${formatBytesExact(free)} free, a deployment needs ${formatBytesExact(least)}. Remove unused images or add disk space, then deploy again.`
  if (isBuild && memory !== undefined && memory < minToBuild.memory)
    return `Not enough free memory on ${server}: ${formatBytes(memory)} free, a build needs ${formatBytes(minToBuild.memory)}. Stop other containers or add memory, then deploy again.`
  return undefined
}

type FindProblem = (run: DeploymentRun) => Promise<string | undefined>

/** Sets up a server that lacks something, or waits for its setup, as a step before the check. */
export async function prepareServer(
  run: DeploymentRun,
  findProblem: FindProblem = findProxyProblem,
): Promise<void> {
  if (!isInSetup(run.server()) && (await findMissing(run, findProblem)) === undefined) return
  // Wait until the start of the check step is saved: if it were saved later, it would end the setup step.
  await run.stepEntered
  await writeWithLease(run, async (trx) => {
    await enterSetupStep(trx, run.deployment.workspace_id, run.deployment.id)
    await nudgeDeployment(trx, run)
  })
  await finishSetup(run)
  const missing = await findMissing(run, findProblem)
  if (missing !== undefined) throw new DeploymentFailed(missing)
  await saveStepStart(run, 'check')
}

const isInSetup = ({ status }: ServerRow) => status === 'setting_up'

async function findMissing(run: DeploymentRun, findProblem: FindProblem): Promise<string | undefined> {
  const { name, kind, status, reason, host_keys: hostKeys } = run.server()
  if (status === 'ready' || status === 'unreachable') return findProblem(run)
  if (status === 'failed' && (kind === 'local' || hostKeys.length > 0))
    return `${name} could not be set up. ${reason ?? ''}`.trim()
  throw new DeploymentFailed(`The server ${name} is not set up yet. Set it up, then deploy again.`)
}

async function findProxyProblem(run: DeploymentRun): Promise<string | undefined> {
  return (await isRouted(run.ctx.db, run.application)) ? checkProxy(run) : undefined
}

const checkProxy = async (run: DeploymentRun) =>
  (await isProxyMissing(toRunScope(run), run.signal))
    ? `The proxy on ${run.server().name} is not running, although setup completed. See the setup log, then deploy again.`
    : undefined

/** Reads the compose file only if Docker Compose is installed, because it reads it. */
export const findComposeProblem =
  (readModel: () => Promise<Model>): FindProblem =>
  async (run) => {
    const missing = (await findComposeVersionProblem(run)) ?? (await findProxyProblem(run))
    if (missing !== undefined) return missing
    const ports = composePorts(await readModel(), run.server()).viaProxy
    return ports.length > 0 ? checkProxy(run) : undefined
  }

async function findComposeVersionProblem(run: DeploymentRun): Promise<string | undefined> {
  const { name, compose_version: known } = run.server()
  if (isComposeSupported(known)) return undefined
  const version = await readComposeVersion(getRunHost(run), run.signal)
  if (isComposeSupported(version)) return undefined
  return version === null
    ? `Docker Compose is not installed on ${name}, and setup could not install it. See the setup log, install Docker Compose 2.20 or newer, then deploy again.`
    : `Docker Compose ${version} on ${name} is too old, and setup could not update it. Install 2.20 or newer, then deploy again.`
}

const pollInterval = 500

async function finishSetup(run: DeploymentRun): Promise<void> {
  const { ctx, log, signal } = run
  const server = run.server()
  if (isInSetup(server)) log.write(`Setup of ${server.name} is in progress. Waiting…`)
  else {
    const refusal = await startMissingSetup(ctx, server, { canActAsRoot: run.deployment.allow_host_access })
    if (refusal !== undefined) throw new DeploymentFailed(refusal)
    log.write(`Setting up ${server.name}`)
  }
  await followSetup(ctx, server, signal, (line) => log.write(line))
  signal.throwIfAborted()
  for (;;) {
    await run.reloadServer()
    if (!isInSetup(run.server())) return
    await sleep(pollInterval, undefined, { signal })
  }
}

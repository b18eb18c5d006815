import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../../context.ts'
import { formatBytes, formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { command } from '../../../remote/command.ts'
import { defaultDockerRoot } from '../../../remote/docker.ts'
import type { Db } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { openReleaseConfiguration } from '../../applications/changes/find-changes.ts'
import { listUsedPorts } from '../../applications/entries/used-ports.ts'
import { addsHostAccess, hostAccessRefusal, type Program } from '../../applications/host-access.ts'
import { isBind, listInstances } from '../../applications/instance.ts'
import { findRelease } from '../../applications/release.ts'
import type { ServerRow } from '../../servers/server.ts'
import { failureMessage } from '../cleanup/handle-failure.ts'
import { portInUseMessage } from '../containers/published-ports.ts'
import { isRouted, listPublishedPorts, proxyProblem } from '../containers/route-targets.ts'
import { createsRelease } from '../run/deployment.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  getRunHost,
  isUnreachable,
  toRunScope,
} from '../run/deployment-run.ts'
import { requestedConfig, requestedEnvironment } from '../run/release-run.ts'
import { drainEarlierContainers, restoreEarlierContainers } from './drain.ts'

const pollDelay = 500

export async function waitForSetup(run: DeploymentRun): Promise<void> {
  const { log, signal, unreachableLimit } = run
  const until = Date.now() + unreachableLimit
  let isLogged = false
  while (isSetupRunning(run.server())) {
    const { name } = run.server()
    if (Date.now() > until)
      throw new DeploymentFailed(
        `Setup of ${name} is still in progress. Deploy again once the server is ready.`,
      )
    if (!isLogged) log.write(`Setup of ${name} is in progress. Waiting…`)
    isLogged = true
    await sleep(pollDelay, undefined, { signal })
    await run.reloadServer()
  }
  const { status, name } = run.server()
  if (status !== 'ready' && status !== 'unreachable')
    throw new DeploymentFailed(`The server ${name} is not set up yet. Set it up, then deploy again.`)
}

/** `http_port_used` is set by the first completed setup. */
const isSetupRunning = ({ status, http_port_used }: ServerRow) =>
  status === 'setting_up' && http_port_used !== null

export const checkDocker = (run: DeploymentRun) =>
  getRunHost(run).docker.json({ method: 'HEAD', path: '/_ping', signal: run.signal, timeout: 10_000 })

export async function checkProxy(run: DeploymentRun): Promise<void> {
  const { ctx, application, signal } = run
  if (!(await isRouted(ctx.db, application))) return
  const problem = await proxyProblem(toRunScope(run), signal)
  if (problem !== undefined) throw new DeploymentFailed(problem)
}

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
    run.log.write(`${message} Slipway cleans up after the earlier deployment later.`)
  }
}

export async function checkHostAccess(run: DeploymentRun): Promise<void> {
  const { ctx, application, deployment, release } = run
  if (deployment.may_empower) return
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : { config: requestedConfig(run), env: requestedEnvironment(run) }
  const wasLive = !createsRelease(deployment.type)
  const refusal = await findHostAccessRefusal(ctx, ctx.db, application, next, wasLive)
  if (refusal !== undefined) throw new DeploymentFailed(refusal)
}

export async function findHostAccessRefusal(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  application: ApplicationRow,
  next: Program,
  wasLive: boolean,
): Promise<string | undefined> {
  if (!next.config.volumes.some(({ source }) => isBind(source))) return undefined
  const live = await findLiveProgram(ctx, db, application)
  return addsHostAccess(next, live, wasLive) ? hostAccessRefusal(wasLive) : undefined
}

/** Reads what the live release runs: its host access is approved. */
export async function findLiveProgram(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  { workspace_id, release_id }: ApplicationRow,
): Promise<Program | undefined> {
  const release = release_id ? await findRelease(db, workspace_id, release_id) : undefined
  return release && openReleaseConfiguration(ctx, release)
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

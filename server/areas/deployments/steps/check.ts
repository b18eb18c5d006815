import { setTimeout as sleep } from 'node:timers/promises'
import { listUsedPorts } from '../../applications/entries/used-ports.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { failureMessage } from '../cleanup/handle-failure.ts'
import { checkCompose } from '../compose/check-compose.ts'
import { isCompose } from '../compose/read-compose.ts'
import { portInUseMessage } from '../containers/published-ports.ts'
import { proxyProblem, isRouted, listPublishedPorts } from '../containers/routed.ts'
import { type DeploymentRun, DeploymentFailed, hostOfRun } from '../run/deployment-run.ts'
import { isUnreachable } from '../run/retry-while-unreachable.ts'
import { checkBuilder } from '../source/check-builder.ts'
import { prefetchGitHub } from '../source/github-queries.ts'
import { clearEarlierSources, isRepository } from '../source/source-work.ts'
import { checkFreeSpace } from './check-free-space.ts'
import { checkHostAccess } from './check-host-access.ts'
import { restoreEarlierContainers, drainEarlierContainers } from './drain.ts'

/** Runs all checks that need no change on the server. */
export async function checkStep(attempt: DeploymentRun): Promise<void> {
  await waitForSetup(attempt)
  if (isRepository(attempt)) prefetchGitHub(attempt)
  await Promise.all([
    checkDocker(attempt),
    // Without free space Compose fails too, with a worse message.
    checkFreeSpace(attempt).then(() => checkCompose(attempt)),
    checkProxy(attempt),
    checkPorts(attempt),
    checkBuilder(attempt),
    checkHostAccess(attempt),
    cleanUpEarlier(attempt),
  ])
}

/** A failed cleanup of an earlier deployment must not fail this one. */
async function cleanUpEarlier(attempt: DeploymentRun): Promise<void> {
  try {
    await drainEarlierContainers(attempt)
    await restoreEarlierContainers(attempt)
    if (isRepository(attempt)) await clearEarlierSources(attempt, attempt.deployment.id)
  } catch (error) {
    attempt.signal.throwIfAborted()
    const why = failureMessage(attempt, error)
    if (!why || isUnreachable(error)) throw error
    attempt.log.write(`${why} Slipway cleans up after the earlier deployment later.`)
  }
}

const checkDocker = (attempt: DeploymentRun) =>
  hostOfRun(attempt).docker.json({ method: 'HEAD', path: '/_ping', signal: attempt.signal, timeout: 10_000 })

/** Compose files are checked by `checkCompose`. */
async function checkProxy(attempt: DeploymentRun): Promise<void> {
  const { ctx, application, signal } = attempt
  if (isCompose(attempt) || !(await isRouted(ctx.db, application))) return
  const why = await proxyProblem(attempt, signal)
  if (why !== undefined) throw new DeploymentFailed(why)
}

async function checkPorts(attempt: DeploymentRun): Promise<void> {
  const { ctx, server, application, signal } = attempt
  const ports = isCompose(attempt) ? [] : await listPublishedPorts(ctx.db, application)
  if (ports.length === 0) return
  const wanted = ports.map((source) => ({ host: '', source }))
  for (const [port, by] of await listUsedPorts(hostOfRun(attempt), wanted, { signal, ours: ports }))
    throw new DeploymentFailed(portInUseMessage(server, port, by))
}

const pollDelay = 500

/** Waits while a server that was ready before is being set up again. */
async function waitForSetup(attempt: DeploymentRun): Promise<void> {
  const { ctx, deployment, log, signal, unreachableLimit } = attempt
  const until = Date.now() + unreachableLimit
  let told = false
  while (isSetupRunning(attempt.server)) {
    const { name } = attempt.server
    if (Date.now() > until)
      throw new DeploymentFailed(
        `Setup of ${name} is still in progress. Deploy again once the server is ready.`,
      )
    if (!told) log.write(`Setup of ${name} is in progress. Waiting…`)
    told = true
    await sleep(pollDelay, undefined, { signal })
    attempt.server = (await findServer(ctx, deployment.workspace_id, deployment.server_id)) ?? attempt.server
  }
  const { status, name } = attempt.server
  if (status !== 'ready' && status !== 'unreachable')
    throw new DeploymentFailed(`The server ${name} is not set up yet. Set it up, then deploy again.`)
}

/** `http_port_used` is set by the first completed setup. */
const isSetupRunning = ({ status, http_port_used }: ServerRow) =>
  status === 'setting_up' && http_port_used !== null

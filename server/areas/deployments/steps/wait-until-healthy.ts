import { setTimeout as sleep } from 'node:timers/promises'
import { allowManyListeners, allSettledOrThrow } from '../../../platform/async.ts'
import type { Instance } from '../../applications/instance.ts'
import { findInspection, type ContainerInspection, containerName } from '../../containers/inspect.ts'
import { exitMessage, readExit, readLastLogLines } from '../containers/container-exit.ts'
import { startContainer, hasCompleted } from '../containers/containers.ts'
import { healthCheckFor, type HealthCheck, withRoutedPorts } from '../containers/health.ts'
import { listServiceTargets } from '../containers/routed.ts'
import { createsContainers, type ServiceSpec, serviceSpec, serviceSpecs } from '../containers/service-spec.ts'
import { followContainerLogs } from '../run/container-logs.ts'
import {
  type DeploymentRun,
  DeploymentFailed,
  hostOfRun,
  listNewInstances,
  requireRelease,
} from '../run/deployment-run.ts'

/** Most containers are healthy at once, so start with short delays. */
const [minDelay, maxDelay] = [5, 250]
/** Milliseconds between progress lines. */
const progressInterval = 10_000
/** Milliseconds to wait for the last log lines of an exited container. */
const lastLinesTimeout = 2_000
const lastLinesCount = 10

export async function healthCheckStep(attempt: DeploymentRun): Promise<void> {
  if (attempt.wasInterrupted) {
    await attempt.stepEntered
    await restartContainers(attempt)
  }
  await waitUntilAllHealthy(attempt)
}

/** Without a restart policy Docker does not restart them after a restart of Docker or the server. */
async function restartContainers(attempt: DeploymentRun): Promise<void> {
  const { docker } = hostOfRun(attempt)
  for (const { container_id: id, service } of await listNewInstances(attempt)) {
    const part = serviceSpec(requireRelease(attempt), service)
    if (id && !(await hasCompleted(docker, part, id))) await startContainer(docker, id)
  }
}

export async function waitUntilAllHealthy(attempt: DeploymentRun): Promise<void> {
  // Flush the positions of an earlier attempt, so that no line is logged twice.
  if (attempt.logReaders.length > 0) await attempt.log.flush()
  const instances = await listNewInstances(attempt)
  const made = serviceSpecs(requireRelease(attempt)).filter(({ service }) =>
    createsContainers(attempt.deployment, service),
  )
  if (instances.length < made.reduce((sum, { replicas }) => sum + replicas, 0))
    throw new Error('A replica has no row.')
  const began = Date.now()
  const isOptional = ({ service }: Instance) => serviceSpec(requireRelease(attempt), service).optional
  await allSettledOrThrow([
    waitUntilHealthy(
      attempt,
      instances.filter((one) => !isOptional(one)),
    ),
    waitForOptional(attempt, instances.filter(isOptional)),
  ])
  attempt.wasInterrupted = false
  if (instances.length > 0) attempt.log.write(`Healthy after ${((Date.now() - began) / 1_000).toFixed(1)} s`)
}

/** Waits for optional instances once; a failure is only a warning. */
export async function waitForOptional(attempt: DeploymentRun, instances: Instance[]): Promise<void> {
  const { log, unhealthy } = attempt
  for (const one of instances.filter(({ id }) => !unhealthy.has(id)))
    try {
      await waitUntilHealthy(attempt, [one])
    } catch (error) {
      if (!(error instanceof DeploymentFailed)) throw error
      unhealthy.add(one.id)
      log.write(`Warning: ${error.message} ${one.service} is optional, so the deployment continues.`)
    }
}

/**
 * Logs the output of the containers meanwhile. A container that exits fails the deployment, unless it is
 * meant to complete.
 */
export async function waitUntilHealthy(attempt: DeploymentRun, instances: Instance[]): Promise<void> {
  const failing = new AbortController()
  const signal = allowManyListeners(AbortSignal.any([attempt.signal, failing.signal]))
  const waiting = instances.map((one) => waitForInstance(attempt, one, signal))
  // One failure stops waiting for the others.
  for (const one of waiting) one.catch((error: unknown) => failing.abort(error))
  await Promise.allSettled(waiting)
  attempt.signal.throwIfAborted()
  if (failing.signal.aborted) throw failing.signal.reason
}

async function waitForInstance(
  attempt: DeploymentRun,
  instance: Instance,
  signal: AbortSignal,
): Promise<void> {
  const { stopLogs, log, logReaders } = attempt
  const { config } = requireRelease(attempt)
  const targets = await listServiceTargets(attempt, instance.service)
  const part = serviceSpec(requireRelease(attempt), instance.service)
  const prefix = logPrefix(part, instance)
  const isFollowed = logReaders.some((one) => one.instance.id === instance.id && !one.hasEnded)
  const logs = isFollowed
    ? Promise.resolve()
    : followContainerLogs(attempt, instance, prefix, AbortSignal.any([signal, stopLogs.signal]))
  const began = Date.now()
  const until = began + config.health.within_seconds * 1_000
  let nextProgressAt = began + progressInterval
  let healthCheck: HealthCheck | undefined
  for (let pause = minDelay; ; pause = Math.min(pause * 1.2, maxDelay)) {
    const container = await inspectRunning(attempt, instance, logs, signal)
    if (part.completes && hasExited(container)) return
    if (!healthCheck) {
      healthCheck = withRoutedPorts(
        attempt,
        instance,
        healthCheckFor(attempt, instance, container, targets),
        targets,
      )
      if (instance.replica === 1)
        log.write(`${part.service === '' ? '' : `${part.service}: `}${healthCheck.description}`)
    }
    const found = await healthCheck.check(container, signal)
    if (found.isHealthy) return
    if (found.isFinal || Date.now() > until)
      throw await unhealthyError(
        attempt,
        container,
        await healthCheck.failureReason(container, found, signal),
      )
    if (Date.now() >= nextProgressAt) {
      log.write(
        `${prefix}${notHealthyYetMessage(found.message, Date.now() - began, config.health.within_seconds)}`,
      )
      nextProgressAt += progressInterval
    }
    await sleep(pause, undefined, { signal })
  }
}

const logPrefix = ({ service, replicas }: ServiceSpec, { replica }: Instance) =>
  [service, ...(replicas > 1 ? [String(replica)] : [])].filter(Boolean).join(' ').replace(/.$/, '$&: ')

const notHealthyYetMessage = (problem: string, since: number, within: number) =>
  `Waiting for health check… ${problem.replace(/\.$/, '')} (${Math.round(since / 1_000)}/${within} s)`

/** A container may have exited since its health check passed. */
export async function assertStillRunning(attempt: DeploymentRun): Promise<void> {
  const instances = (await listNewInstances(attempt)).filter(({ id }) => !attempt.unhealthy.has(id))
  await Promise.all(instances.map((one) => inspectRunning(attempt, one, Promise.resolve(), attempt.signal)))
}

/** Throws if the container has exited. */
async function inspectRunning(
  attempt: DeploymentRun,
  instance: Instance,
  logs: Promise<void>,
  signal: AbortSignal,
): Promise<ContainerInspection> {
  const { docker } = hostOfRun(attempt)
  const found = await findInspection(docker, instance.container_id ?? '', signal)
  if (!found)
    throw new DeploymentFailed('The new container was removed during the health check. Deploy again.')
  const part = serviceSpec(requireRelease(attempt), instance.service)
  if (!hasExited(found) || (part.completes && found.State.ExitCode === 0)) return found
  await Promise.race([logs, sleep(lastLinesTimeout, undefined, { signal })])
  throw await withLastLogLines(
    attempt,
    found,
    exitMessage(containerName(found), await readExit(docker, found), part.memory_limit),
  )
}

const hasExited = ({ State: { Status: status } }: ContainerInspection) =>
  status === 'exited' || status === 'dead'

const unhealthyError = (attempt: DeploymentRun, container: ContainerInspection, why: string) =>
  withLastLogLines(
    attempt,
    container,
    `Health check of container ${containerName(container)} failed after ${requireRelease(attempt).config.health.within_seconds} s: ${why}`,
  )

async function withLastLogLines(
  attempt: DeploymentRun,
  container: ContainerInspection,
  sentence: string,
): Promise<DeploymentFailed> {
  const { docker } = hostOfRun(attempt)
  const lines = await readLastLogLines(
    docker,
    { id: container.Id, tty: false },
    lastLinesCount,
    attempt.signal,
  )
  return new DeploymentFailed(sentence, lines)
}

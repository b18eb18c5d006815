import { formatDuration } from '../../../../contract/shared/duration.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { allowManyListeners, allSettledOrThrow } from '../../../platform/async.ts'
import type { Instance } from '../../applications/instance.ts'
import { readReplicas } from '../../compose/read/read-service.ts'
import { listDependencies } from '../../compose/start-order.ts'
import { exitMessage, readExit, readLastLogLines } from '../containers/container-failure.ts'
import { healthCheckFor, type HealthCheck, withRoutedPorts } from '../containers/health-check.ts'
import { listServiceTargets } from '../containers/route-targets.ts'
import { type ServiceSpec, serviceSpec, servicesToStart } from '../containers/specification.ts'
import { type ReleaseRun, DeploymentFailed, getRunHost, listNewInstances } from '../run/deployment-run.ts'
import {
  type ContainerInspection,
  containerName,
  findInspection,
  hasContainerCompleted,
  startContainer,
} from '../../containers/docker-container.ts'

/** Most containers become healthy immediately, so start with short delays. */
const [minDelay, maxDelay] = [5, 250]
const progressInterval = 10_000
const lastLinesTimeout = 2_000
const lastLinesCount = 10

export async function checkHealth(run: ReleaseRun): Promise<void> {
  if (run.interruption.occurred) {
    await run.stepEntered
    await restartContainers(run)
  }
  await waitUntilAllHealthy(run)
}

/** New containers have no restart policy yet, so Docker does not start them after a restart of Docker or the server. */
async function restartContainers(run: ReleaseRun): Promise<void> {
  const { docker } = getRunHost(run)
  for (const { container_id: id, service } of await listNewInstances(run)) {
    const part = serviceSpec(run.release, service)
    if (id && !(await hasContainerCompleted(docker, part, id))) await startContainer(docker, id)
  }
}

export async function waitUntilAllHealthy(run: ReleaseRun): Promise<void> {
  // Flush the positions of an earlier attempt, so that no line is logged twice.
  if (run.containerLogs.hasReaders) await run.log.flush()
  const instances = await listNewInstances(run)
  const made = servicesToStart(run)
  if (instances.length < made.reduce((sum, { replicas }) => sum + replicas, 0))
    throw new Error('A replica has no row.')
  const began = Date.now()
  const isOptional = ({ service }: Instance) => serviceSpec(run.release, service).optional
  await allSettledOrThrow([
    waitUntilHealthy(
      run,
      instances.filter((instance) => !isOptional(instance)),
    ),
    waitForOptional(run, instances.filter(isOptional)),
  ])
  run.interruption.occurred = false
  if (instances.length > 0) run.log.write(`Healthy after ${formatDuration(Date.now() - began)}`)
}

async function waitForOptional(run: ReleaseRun, instances: Instance[]): Promise<void> {
  const { log, unhealthy } = run
  for (const one of instances.filter(({ id }) => !unhealthy.has(id)))
    try {
      await waitUntilHealthy(run, [one])
    } catch (error) {
      if (!(error instanceof DeploymentFailed)) throw error
      unhealthy.add(one.id)
      log.write(`Warning: ${error.message} ${one.service} is optional, so the deployment continues.`)
    }
}

/** A container that exits fails the deployment, unless it is meant to complete. */
async function waitUntilHealthy(run: ReleaseRun, instances: Instance[]): Promise<void> {
  const failing = new AbortController()
  const signal = allowManyListeners(AbortSignal.any([run.signal, failing.signal]))
  const waiting = instances.map((instance) => waitForInstance(run, instance, signal))
  for (const one of waiting) one.catch((error: unknown) => failing.abort(error))
  await Promise.allSettled(waiting)
  run.signal.throwIfAborted()
  if (failing.signal.aborted) throw failing.signal.reason
}

async function waitForInstance(run: ReleaseRun, instance: Instance, signal: AbortSignal): Promise<void> {
  const { log } = run
  const { config } = run.release
  const targets = await listServiceTargets(run, instance.service)
  const part = serviceSpec(run.release, instance.service)
  const prefix = logPrefix(part, instance)
  const logs = run.containerLogs.follow(run, instance, prefix, signal)
  const began = Date.now()
  const until = began + config.health.within_seconds * 1_000
  let nextProgressAt = began + progressInterval
  let healthCheck: HealthCheck | undefined
  for (let pause = minDelay; ; pause = Math.min(pause * 1.2, maxDelay)) {
    const container = await inspectRunning(run, instance, logs, signal)
    if (part.completes && hasExited(container)) return
    if (!healthCheck) {
      healthCheck = withRoutedPorts(run, instance, healthCheckFor(run, instance, container, targets), targets)
      if (instance.replica === 1)
        log.write(`${part.service === '' ? '' : `${part.service}: `}${healthCheck.description}`)
    }
    const result = await healthCheck.check(container, signal)
    if (result.isHealthy) return
    if (result.isFinal || Date.now() > until)
      throw await unhealthyError(run, container, await healthCheck.failureReason(container, result, signal))
    if (Date.now() >= nextProgressAt) {
      log.write(
        `${prefix}${notHealthyYetMessage(result.message, Date.now() - began, config.health.within_seconds)}`,
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
export async function assertStillRunning(run: ReleaseRun): Promise<void> {
  const instances = (await listNewInstances(run)).filter(({ id }) => !run.unhealthy.has(id))
  await Promise.all(instances.map((instance) => inspectRunning(run, instance, Promise.resolve(), run.signal)))
}

async function inspectRunning(
  run: ReleaseRun,
  instance: Instance,
  logs: Promise<void>,
  signal: AbortSignal,
): Promise<ContainerInspection> {
  const { docker } = getRunHost(run)
  const inspection = await findInspection(docker, instance.container_id ?? '', signal)
  if (!inspection)
    throw new DeploymentFailed('The new container was removed during the health check. Deploy again.')
  const part = serviceSpec(run.release, instance.service)
  if (!hasExited(inspection) || (part.completes && inspection.State.ExitCode === 0)) return inspection
  await Promise.race([logs, sleep(lastLinesTimeout, undefined, { signal })])
  throw await withLastLogLines(
    run,
    inspection,
    exitMessage(containerName(inspection), await readExit(docker, inspection), part.memory_limit),
  )
}

const hasExited = ({ State: { Status: status } }: ContainerInspection) =>
  status === 'exited' || status === 'dead'

const unhealthyError = (run: ReleaseRun, container: ContainerInspection, why: string) =>
  withLastLogLines(
    run,
    container,
    `Health check of container ${containerName(container)} failed after ${run.release.config.health.within_seconds} s: ${why}`,
  )

async function withLastLogLines(
  run: ReleaseRun,
  container: ContainerInspection,
  sentence: string,
): Promise<DeploymentFailed> {
  const { docker } = getRunHost(run)
  const lines = await readLastLogLines(docker, { id: container.Id, tty: false }, lastLinesCount, run.signal)
  return new DeploymentFailed(sentence, lines)
}

/** Waits for the services that this one `depends_on`, until they are healthy or completed. */
export async function waitForDependencies(run: ReleaseRun, { service }: ServiceSpec): Promise<void> {
  const { model } = run
  const own = model?.services[service]
  if (!own) return
  const awaited = Object.entries(listDependencies(own)).filter(
    ([, { condition }]) => condition !== 'service_started',
  )
  if (awaited.length === 0) return
  const created = await listNewInstances(run)
  for (const [name, { required }] of awaited) {
    const dependency = model.services[name]
    const instances = created.filter((instance) => instance.service === name)
    if (dependency && readReplicas(dependency) === 0)
      run.log.write(`Warning: ${service} depends on ${name}, which is scaled to 0.`)
    if (instances.length === 0) continue
    run.log.write(`${service}: waiting for ${name}`)
    await (required ? waitUntilHealthy(run, instances) : waitForOptional(run, instances))
  }
}

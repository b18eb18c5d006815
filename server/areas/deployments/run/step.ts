import { setTimeout as sleep } from 'node:timers/promises'
import { allSettledOrThrow } from '../../../platform/async.ts'
import {
  ConnectionLost,
  DockerError,
  DockerUnavailable,
  HostUnreachable,
  RemoteTimeout,
} from '../../../remote/errors.ts'
import { ProxyUnreachable } from '../../../remote/proxy/socket.ts'
import { toServerProblem } from '../../servers/server-host.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  nudgeDeployment,
  type StepName,
  writeWithLease,
} from './deployment-run.ts'
import { enterStep } from './store.ts'

/** Milliseconds to retry the first step, before anything was changed. */
const unreachableLimitAtStart = 15_000

/**
 * Runs a step and returns what it found, or undefined if an earlier worker completed it. The step is saved
 * before and after, and must be idempotent, so that a worker that takes over continues with it.
 */
export async function step<R extends DeploymentRun, T>(
  run: R,
  name: StepName,
  work: (run: R) => Promise<T>,
): Promise<T | undefined> {
  if (!isPending(run, name)) return undefined
  run.signal.throwIfAborted()
  const entered = { ...run, stepEntered: saveStepStart(run, name) }
  const limit =
    name === 'check' ? Math.min(unreachableLimitAtStart, run.unreachableLimit) : run.unreachableLimit
  // The step may read while its start is being saved.
  const found = retryWhileUnreachable(entered, () => work(entered), limit)
  await allSettledOrThrow([entered.stepEntered, found])
  return found
}

/** Whether no earlier worker completed the step. */
export const isPending = ({ steps }: DeploymentRun, name: StepName) =>
  steps.some((one) => one.name === name && (one.status === 'waiting' || one.status === 'running'))

/** Completes the step before and starts this one. */
export const saveStepStart = (run: DeploymentRun, name: StepName): Promise<void> =>
  writeWithLease(run, async (trx) => {
    const { workspace_id, id } = run.deployment
    await enterStep(trx, workspace_id, id, name)
    await nudgeDeployment(trx, run)
  })

const maxDelay = 1_000

/** Docker reports these errors while it shuts down. */
export const isTransientDockerError = (error: unknown) =>
  error instanceof DockerError && /context canceled|shutting down/i.test(error.message)

export const isUnreachable = (error: unknown) =>
  [ConnectionLost, HostUnreachable, RemoteTimeout, DockerUnavailable, ProxyUnreachable].some(
    (kind) => error instanceof kind,
  ) || isTransientDockerError(error)

/**
 * Retries `work` while the server, Docker or the proxy is unreachable, for at most `limit` milliseconds.
 * `work` must be idempotent.
 */
export async function retryWhileUnreachable<T>(
  run: DeploymentRun,
  work: () => Promise<T>,
  limit = run.unreachableLimit,
): Promise<T> {
  const { log, signal } = run
  let since: number | undefined
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isUnreachable(error)) throw error
      const problem = toServerProblem(run.server(), error)
      const reason = problem instanceof Error ? problem.message : String(problem)
      since ??= Date.now()
      run.interruption.record()
      if (Date.now() - since >= limit) throw new DeploymentFailed(reason)
      if (failures === 0) log.write(`${reason} Retrying…`)
      await sleep(Math.min(100 * 2 ** failures, maxDelay), undefined, { signal })
      // The address of the server may have changed.
      await run.reloadServer()
    }
  }
}

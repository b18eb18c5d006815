import { exponentialBackoff } from '../../../../contract/shared/backoff.ts'
import type { stepNames } from '../../../../contract/deployments.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { nudge } from '../../../events.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Host } from '../../../remote/host.ts'
import type { Db, PlannedService, Trx } from '../../../tables.ts'
import { type ApplicationRow, lockApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { getServerHost, toServerProblem } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import type { DeploymentLog } from './deployment-log.ts'
import type { ContainerLogs } from './container-logs.ts'
import {
  type Deployment,
  isFinished,
  enterStep,
  findDeployment,
  lockDeployment,
  type StepStatus,
} from './deployment.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { allSettledOrThrow } from '../../../platform/async.ts'
import {
  ConnectionLost,
  DockerError,
  DockerUnavailable,
  HostUnreachable,
  RemoteError,
  RemoteTimeout,
} from '../../../remote/errors.ts'
import { ProxyUnreachable } from '../../../remote/proxy/runtime-api.ts'

export type StepName = (typeof stepNames)[number]

export interface DeploymentRun {
  readonly ctx: Context
  readonly job: JobRun
  readonly signal: AbortSignal
  readonly application: ApplicationRow
  /** The row at the time of the claim. A step that may be repeated must reload what it saves there. */
  readonly deployment: Deployment
  /** The release that a restart or rollback requested, or that an earlier worker created. */
  readonly release: Release | undefined
  /** The steps at the time of the claim: an earlier worker may have completed some. */
  readonly steps: readonly { name: StepName; status: StepStatus }[]
  /** Resolves when the start of the current step is saved. Every change on the server waits for it. */
  readonly stepEntered: Promise<void>
  readonly server: () => ServerRow
  readonly reloadServer: () => Promise<void>
  /** Whether containers may have exited unnoticed: the server was unreachable, or this worker took over. */
  readonly interruption: { occurred: boolean }
  readonly log: DeploymentLog
  readonly containerLogs: ContainerLogs
  readonly unhealthy: Set<Instance['id']>
  readonly unreachableLimit: number
}

export interface ReleaseRun extends DeploymentRun {
  readonly release: Release
  /** Undefined unless the application is a compose file. */
  readonly model: Model | undefined
  /** Null for a stop, which has no plan and affects all services. */
  readonly plan: readonly PlannedService[] | null
}

/** Thrown when the deployment was finished by another worker or deleted with its application. */
export class DeploymentEnded extends Error {}

export class DeploymentFailed extends Error {
  readonly lines: string[]

  constructor(sentence: string, lines: string[] = []) {
    super(sentence)
    this.lines = lines
  }
}

export class DeploymentCanceled extends Error {}

type RunRef = Pick<DeploymentRun, 'ctx' | 'job' | 'deployment'>

/** Locks the deployment, then the job. The mutex keeps parallel services from holding a database connection each. */
export const writeWithLease = <T>(
  { ctx, job, deployment }: RunRef,
  work: (trx: Trx, now: Deployment) => Promise<T>,
): Promise<T> =>
  ctx.deploymentWrites(job, () =>
    transaction(ctx.db, async (trx) => {
      const now = await lockDeployment(trx, deployment.workspace_id, deployment.id)
      if (!now || isFinished(now)) throw new DeploymentEnded()
      await job.assertLease(trx)
      return work(trx, now)
    }),
  )

/** Like `writeWithLease`, and locks the application first, in the order that all code uses. */
export const writeWithApplication = <T>(
  { ctx, job, deployment: { workspace_id, application_id, id } }: RunRef,
  work: (trx: Trx, now: Deployment, application: ApplicationRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, workspace_id, application_id)
    const now = await lockDeployment(trx, workspace_id, id)
    if (!application || !now || isFinished(now)) throw new DeploymentEnded()
    await job.assertLease(trx)
    return work(trx, now, application)
  })

export async function reloadDeployment({
  ctx,
  deployment: { workspace_id, id },
}: Pick<DeploymentRun, 'ctx' | 'deployment'>): Promise<Deployment> {
  const deployment = await findDeployment(ctx.db, workspace_id, id)
  if (!deployment) throw new DeploymentEnded()
  return deployment
}

export const nudgeDeployment = (trx: Trx, { deployment }: Pick<DeploymentRun, 'deployment'>) =>
  nudge(trx, deployment.workspace_id, 'deployment.changed', deployment.application_id)

export const getRunHost = ({ ctx, server }: Pick<DeploymentRun, 'ctx' | 'server'>): Host =>
  getServerHost(ctx, server())

export interface ServerScope {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

export const toRunScope = (run: DeploymentRun) => ({
  ctx: run.ctx,
  server: run.server(),
  application: run.application,
  write: <T>(work: (trx: Trx) => Promise<T>) => writeWithLease(run, work),
})

export async function listNewInstances(
  { ctx, deployment }: Pick<DeploymentRun, 'ctx' | 'deployment'>,
  db: Db = ctx.db,
): Promise<Instance[]> {
  const all = await listInstances(db, deployment.workspace_id, deployment.application_id)
  return all.filter((instance) => instance.deployment_id === deployment.id)
}

const unreachableLimitAtStart = 15_000

/** The step must be idempotent: a worker that takes over repeats it, unless it was saved as completed. */
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
  // The step can read while its start is being saved, and waits for `stepEntered` before it changes anything.
  const found = retryWhileUnreachable(entered, () => work(entered), limit)
  await allSettledOrThrow([entered.stepEntered, found])
  return found
}

export const isPending = ({ steps }: DeploymentRun, name: StepName) =>
  steps.some((other) => other.name === name && (other.status === 'waiting' || other.status === 'running'))

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

/** Returns undefined for internal errors, whose text users must not see. */
export function failureMessage(run: DeploymentRun, error: unknown): string | undefined {
  const server = run.server()
  const problem = error instanceof RemoteError ? toServerProblem(server, error) : error
  if (!(problem instanceof DeploymentFailed || problem instanceof Problem)) return undefined
  return diskFull.test(problem.message)
    ? `The disk of ${server.name} is full. Free up space, then deploy again.`
    : problem.message
}

const diskFull = /no space left on device/i

/** `work` must be idempotent. */
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
      run.interruption.occurred = true
      if (Date.now() - since >= limit) throw new DeploymentFailed(reason)
      if (failures === 0) log.write(`${reason} Retrying…`)
      await sleep(exponentialBackoff(failures, 100, maxDelay), undefined, { signal })
      // The address of the server may have changed.
      await run.reloadServer()
    }
  }
}

import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Host } from '../../../remote/host.ts'
import type { Db, Trx } from '../../../tables.ts'
import { type ApplicationRow, lockApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import type { Commit } from '../../integrations/repository.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import type { GitHubQueries } from '../source/github-queries.ts'
import { type Deployment, isFinished } from './deployment.ts'
import type { FollowedWork } from './followed-work.ts'
import type { DeploymentLog } from './log.ts'
import { lockDeployment } from './store.ts'

/** A running deployment in the worker that holds its lease. */
export interface DeploymentRun {
  ctx: Context
  run: JobRun
  /** Aborted with the job, and when the log cannot be written. */
  signal: AbortSignal
  application: ApplicationRow
  /** Reloaded after the server was unreachable. */
  server: ServerRow
  deployment: Deployment
  /** Resolves when the current step is saved. Every change on the server waits for it. */
  stepEntered: Promise<void>
  /** Set once the image is available. */
  release: Release | undefined
  /** Set once the compose file was read. */
  model: Model | undefined
  /** Set once the commit was resolved; it may not be saved yet. */
  commit: Commit | undefined
  github: GitHubQueries | undefined
  /** The fetch and build that this worker follows. */
  sourceWork: FollowedWork | undefined
  log: DeploymentLog
  /** Containers may have exited: the server was unreachable, or another worker had the deployment before. */
  wasInterrupted: boolean
  /** Optional instances that are unhealthy. */
  unhealthy: Set<Instance['id']>
  /** Follow the container logs until `stopLogs` is aborted. */
  logReaders: LogReader[]
  stopLogs: AbortController
  /** Milliseconds to retry while the server is unreachable. */
  unreachableLimit: number
}

export interface LogReader {
  instance: Instance
  /** Timestamp of the last line read. */
  stamp: string
  hasEnded: boolean
}

/** Thrown when the deployment was finished by another worker or deleted with its application. */
export class DeploymentEnded extends Error {}

/** Fails the deployment. `lines` are the last log lines of the container or build. */
export class DeploymentFailed extends Error {
  readonly lines: string[]

  constructor(sentence: string, lines: string[] = []) {
    super(sentence)
    this.lines = lines
  }
}

export class DeploymentCanceled extends Error {}

/**
 * Runs `work` only while the lease is valid and the deployment unfinished. Locks the deployment first, then
 * the job. Services start in parallel: without the mutex, each would hold a database connection while it waits
 * for the same row lock.
 */
export const writeWithLease = <T>(
  { ctx, run, deployment }: Pick<DeploymentRun, 'ctx' | 'run' | 'deployment'>,
  work: (trx: Trx, now: Deployment) => Promise<T>,
): Promise<T> =>
  ctx.deploymentWrites(run, () =>
    transaction(ctx.db, async (trx) => {
      const now = await lockDeployment(trx, deployment.workspace_id, deployment.id)
      if (!now || isFinished(now)) throw new DeploymentEnded()
      await run.assertLease(trx)
      return work(trx, now)
    }),
  )

/** Like `writeWithLease`, and locks the application first, in the order that all code uses. */
export const writeWithApplication = <T>(
  {
    ctx,
    run,
    deployment: { workspace_id, application_id, id },
  }: Pick<DeploymentRun, 'ctx' | 'run' | 'deployment'>,
  work: (trx: Trx, now: Deployment, application: ApplicationRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, workspace_id, application_id)
    const now = await lockDeployment(trx, workspace_id, id)
    if (!application || !now || isFinished(now)) throw new DeploymentEnded()
    await run.assertLease(trx)
    return work(trx, now, application)
  })

export const nudgeDeployment = (trx: Trx, { deployment }: Pick<DeploymentRun, 'deployment'>) =>
  nudge(trx, deployment.workspace_id, 'deployment.changed', deployment.application_id)

export const hostOfRun = ({ ctx, server }: DeploymentRun): Host => hostOf(ctx, server)

/** Lists the instances that this deployment created. */
export async function listNewInstances(
  { ctx, deployment }: DeploymentRun,
  db: Db = ctx.db,
): Promise<Instance[]> {
  const all = await listInstances(db, deployment.workspace_id, deployment.application_id)
  return all.filter((one) => one.deployment_id === deployment.id)
}

export function requireRelease({ release }: DeploymentRun): Release {
  if (!release) throw new Error('The release is made by the step before.')
  return release
}

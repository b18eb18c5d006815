import type { Context } from '../../../context.ts'
import { nudge } from '../../../events.ts'
import type { Run } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { createTurns } from '../../../platform/turns.ts'
import type { Host } from '../../../remote/host.ts'
import type { Db, Trx } from '../../../tables.ts'
import { type ApplicationRow, lockApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import type { Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import type { Commit } from '../../integrations/repository.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'
import type { AtGitHub } from '../source/ask-ahead.ts'
import { type Deployment, isOver } from './deployment.ts'
import type { Following } from './following.ts'
import type { DeploymentLog } from './log.ts'
import { lockDeployment } from './store.ts'

/** A deployment in the hands of the worker that holds its lease. */
export interface Attempt {
  ctx: Context
  run: Run
  /** Aborted with the run, and when the log cannot be written. */
  signal: AbortSignal
  application: ApplicationRow
  /** Read anew when it could not be reached. */
  server: ServerRow
  /** As it was last written. */
  deployment: Deployment
  /** Resolves when it is written down which step it is in. Whatever changes something on the server waits for that. */
  entered: Promise<void>
  /** What is deployed; known once the image is there. */
  release: Release | undefined
  /** Of a compose file, once it was read. */
  model: Model | undefined
  /** What is built of its repository, once it was found; it may still be being written down. */
  commit: Commit | undefined
  /** What GitHub tells of its repository, once somebody asked. */
  atGitHub: AtGitHub | undefined
  /** Its repository being fetched and built, while this listens to it. */
  source: Following | undefined
  log: DeploymentLog
  /** Something may have ended meanwhile: the server was away, or somebody else had it before. */
  wasInterrupted: boolean
  /** Those that are not well, and without which this goes on. */
  unwell: Set<Instance['id']>
  /** What the containers say is read by these, until they are told to be silent. */
  readers: Reader[]
  silence: AbortController
  /** Milliseconds for which a server that cannot be reached is waited for. */
  patience: number
}

/** Reads what a container says. */
export interface Reader {
  instance: Instance
  /** The time of the last line that it has read. */
  stamp: string
  hasEnded: boolean
}

/** Somebody else has ended it, or it went with its application. */
export class Over extends Error {}

/** Why it cannot go on, as a sentence; `words` are what a container said last. */
export class Failed extends Error {
  readonly words: string[]

  constructor(sentence: string, words: string[] = []) {
    super(sentence)
    this.words = words
  }
}

/** Somebody wants it to end. */
export class Cancelled extends Error {}

/** Many services are started at once: each would wait for the same row with a connection in its hands, until none is left. */
const inTurn = createTurns()

/** Changes rows only while the lease is ours and it is not over. The deployment is locked first, the job second. */
export const writeAs = <T>(
  { ctx, run, deployment }: Pick<Attempt, 'ctx' | 'run' | 'deployment'>,
  work: (trx: Trx, now: Deployment) => Promise<T>,
): Promise<T> =>
  inTurn(run, () =>
    transaction(ctx.db, async (trx) => {
      const now = await lockDeployment(trx, deployment.workspace_id, deployment.id)
      if (!now || isOver(now)) throw new Over()
      await run.stillMine(trx)
      return work(trx, now)
    }),
  )

/** The same where the application is changed, too: it is locked before its deployments, as everybody does. */
export const writeBoth = <T>(
  { ctx, run, deployment: { workspace_id, application_id, id } }: Pick<Attempt, 'ctx' | 'run' | 'deployment'>,
  work: (trx: Trx, now: Deployment, application: ApplicationRow) => Promise<T>,
): Promise<T> =>
  transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, workspace_id, application_id)
    const now = await lockDeployment(trx, workspace_id, id)
    if (!application || !now || isOver(now)) throw new Over()
    await run.stillMine(trx)
    return work(trx, now, application)
  })

export const tellChange = (trx: Trx, { deployment }: Pick<Attempt, 'deployment'>) =>
  nudge(trx, deployment.workspace_id, 'deployment.changed', deployment.application_id)

export const hostFor = ({ ctx, server }: Attempt): Host => hostOf(ctx, server)

/** The containers that this very deployment makes. */
export async function ownInstances({ ctx, deployment }: Attempt, db: Db = ctx.db): Promise<Instance[]> {
  const all = await listInstances(db, deployment.workspace_id, deployment.application_id)
  return all.filter((one) => one.deployment_id === deployment.id)
}

/** What is deployed, once it is known. */
export function releaseOf({ release }: Attempt): Release {
  if (!release) throw new Error('The release is made by the step before.')
  return release
}

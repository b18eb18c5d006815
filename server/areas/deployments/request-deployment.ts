import type { stepNames } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { actorOf, type Doer, emit, isOutsider, nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { type ApplicationRow, lockApplication, applicationTarget } from '../applications/application.ts'
import { readConfigured } from '../applications/config.ts'
import { freezeConfig } from '../applications/changes/frozen-config.ts'
import type { Release } from '../applications/release.ts'
import { revisionOf } from '../applications/revision.ts'
import { findMeant, getReleaseTo, makesRelease, messageOf, type Type, whyNone } from './run/choose-release.ts'
import { buildMessage } from './source/build-message.ts'
import { enqueueDeploy } from './run/deploy-job.ts'
import { type Deployment, getDeploymentRow, present } from './run/deployment.ts'
import { insertDeployment, insertSteps, lockUnderWay, updateDeployment, updateSteps } from './run/store.ts'
import { cancel } from '../../platform/jobs.ts'

export interface Wanted {
  type: Type
  /** The one to go back to; where none is named it is found when its turn comes. */
  release?: Id<'release'> | undefined
  /** Whether the initiator approves host access that the live release does not have. */
  mayEmpower?: boolean
  /** That of a plan: refused if the configuration is another by now. */
  revision?: string | undefined
  /** What was pushed; where none is named it is what the branch holds when its turn comes. */
  commit?: NonNullable<Deployment['commit']> | undefined
  /** Although the same was built before. */
  rebuild?: boolean | undefined
}

/** The environment of a deployment is sealed for its row. */
export const deploymentEnvPlace = (id: string) => `deployments.env_sealed:${id}`
/** So is its compose file. */
export const deploymentComposePlace = (id: string) => `deployments.compose_sealed:${id}`

/** Row, steps, job and event in one. One that still waits is replaced by this one. */
export async function requestDeployment(
  ctx: Context,
  doer: Doer,
  { workspace_id: workspaceId, id }: Pick<ApplicationRow, 'workspace_id' | 'id'>,
  wanted: Wanted,
  /** Done in the same transaction: either both are there or neither. */
  also?: (trx: Trx, id: Id<'deployment'>) => Promise<void>,
) {
  const made = await transaction(ctx.db, async (trx) => {
    const application = await lockApplication(trx, workspaceId, id)
    if (!application) throw notFound('This application')
    if (application.deleting_at)
      throw conflict('being_deleted', `The application ${application.name} is being deleted.`)
    if (isOutsider(doer)) await mustNotBeStopped(trx, application)
    const row = await beginDeployment(ctx, trx, doer, application, wanted)
    await also?.(trx, row.id)
    return row
  })
  return present(ctx, await getDeploymentRow(ctx.db, workspaceId, made.id))
}

/** The same of an application that nobody else changes until the transaction ends. */
export async function beginDeployment(
  ctx: Context,
  trx: Trx,
  doer: Doer,
  application: ApplicationRow,
  wanted: Wanted,
) {
  const { workspace_id, id: application_id, server_id } = application
  const type = typeFor(application, wanted)
  const isNew = makesRelease(type)
  const release = isNew ? undefined : await expect(trx, application, wanted)
  if (isNew) mustHaveSource(application)
  const id = newId('deployment')
  const fresh = isNew ? await frozen(ctx, trx, application, { id, revision: wanted.revision }) : undefined
  const message = fresh?.build
    ? buildMessage(fresh.build, wanted.commit ?? null)
    : messageOf(application, type, release)
  await supersede(trx, doer, application, message)
  const row = await insertDeployment(trx, {
    id,
    workspace_id,
    application_id,
    server_id,
    type,
    status: 'queued',
    message,
    tag: isNew ? application.image : release?.image || null,
    // What is current may be another one by then; only one that was named is that for sure.
    release_id: wanted.release ?? null,
    ...fresh?.columns,
    commit: wanted.commit ? JSON.stringify(wanted.commit) : null,
    rebuild: wanted.rebuild ?? false,
    may_empower: wanted.mayEmpower ?? false,
    ...actorOf(doer),
    job_id: await enqueueDeploy(ctx, trx, { workspace_id, application_id, server_id, id, type }),
  })
  await insertSteps(
    trx,
    stepsOf(type).map((name, position) => ({
      workspace_id,
      deployment_id: id,
      position,
      name,
      status: 'waiting' as const,
    })),
  )
  await emit(
    trx,
    doer,
    workspace_id,
    'deployment.queued',
    { ...applicationTarget(application), about: id },
    message,
  )
  await nudge(trx, workspace_id, 'deployment.changed', application_id)
  return row
}

/** A repository is built, however that is asked for. */
const typeFor = ({ source_type }: ApplicationRow, { type }: Wanted): Type =>
  makesRelease(type) ? (source_type === 'github' ? 'build_application' : 'deploy_application') : type

/** Stopping needs nothing to be made: what runs leaves the proxy and ends. */
const stepsOf = (type: Type): (typeof stepNames)[number][] =>
  type === 'stop_application'
    ? ['switch', 'drain']
    : ['check', 'fetch', ...built(type), 'start', 'wait', 'switch', 'drain', 'prune']

const built = (type: Type) => (type === 'build_application' ? (['build'] as const) : [])

/** What it would be about now. There may be none yet where one is being deployed: that is known when its turn comes. */
async function expect(
  trx: Trx,
  application: ApplicationRow,
  { type, release }: Wanted,
): Promise<Release | undefined> {
  if (release) return getReleaseTo(trx, application, release)
  const { workspace_id, id } = application
  const found = await findMeant(trx, application, type)
  if (!found && (await lockUnderWay(trx, workspace_id, id, ['running'])).length === 0)
    throw conflict(
      type === 'rollback_application' ? 'no_release_before' : 'never_deployed',
      whyNone(application, type),
    )
  return found
}

function mustHaveSource({ name, source_type, image, compose_sealed }: ApplicationRow): void {
  if (source_type !== 'github' && image === null && compose_sealed === null)
    throw conflict('no_image', `The application ${name} has no image to deploy. Set one in its settings.`)
}

/** As it is configured at this moment; what is changed later is for the next one. */
async function frozen(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { id, revision }: { id: Deployment['id']; revision: string | undefined },
) {
  const configured = await readConfigured(ctx, trx, application)
  const { config, env, compose } = configured
  if (revision !== undefined && revision !== revisionOf(ctx, configured)) throw changedSince(application)
  return {
    build: config.build,
    columns: {
      ...freezeConfig(ctx, 'deployments', id, config),
      env_sealed: ctx.secrets.seal(deploymentEnvPlace(id), JSON.stringify(env)),
      compose_sealed: compose && ctx.secrets.seal(deploymentComposePlace(id), JSON.stringify(compose)),
    },
  }
}

/** An approval is for what the plan showed, not for what somebody else has saved since. */
const changedSince = ({ name }: ApplicationRow) =>
  conflict(
    'changed_since',
    `The configuration of ${name} changed since you reviewed the plan. Review the plan again.`,
  )

/** What somebody has stopped, or is about to, stays so until somebody starts it: a push or a hook does not. */
async function mustNotBeStopped(trx: Trx, { workspace_id, id, name, wanted }: ApplicationRow): Promise<void> {
  const underWay = await lockUnderWay(trx, workspace_id, id)
  // Who has asked to have it started, or deployed, means what comes after as well.
  const last = underWay.findLast(({ cancel_requested_at }) => cancel_requested_at === null)
  const type = last?.type ?? (wanted === 'stopped' ? 'stop_application' : undefined)
  if (type === 'stop_application')
    throw conflict(
      'stays_stopped',
      `${name} is stopped, so it was not deployed. Start or deploy it to resume automatic deployments.`,
    )
}

/**
 * Ends the one that waits, for a newer one. A worker that has just taken it finds that it is over. What somebody wants done
 * with the release that is there is not undone by a push or a hook: that comes after it.
 */
async function supersede(trx: Trx, doer: Doer, application: ApplicationRow, message: string): Promise<void> {
  const { workspace_id, id } = application
  for (const one of await lockUnderWay(trx, workspace_id, id, ['queued'])) {
    if (isOutsider(doer) && !makesRelease(one.type)) continue
    await updateSteps(trx, workspace_id, one.id, { status: 'waiting' }, { status: 'skipped' })
    await updateDeployment(trx, workspace_id, one.id, {
      status: 'cancelled',
      message: `${one.message ?? ''} (replaced by: ${message})`,
      finished_at: new Date(),
    })
    if (one.job_id) await cancel(trx, one.job_id)
    await emit(
      trx,
      doer,
      workspace_id,
      'deployment.cancelled',
      { ...applicationTarget(application), about: one.id },
      `${one.message}, replaced by: ${message}`,
    )
  }
}

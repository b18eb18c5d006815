import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { Actor } from '../../route.ts'
import type { BuildConfig, Db, ReleaseConfig, Trx } from '../../tables.ts'
import { findIntegration } from '../integrations/integration.ts'
import { getServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import {
  applicationTarget,
  type ApplicationRow,
  changeApplication,
  getApplicationRow,
  summarizeNames,
  withLockedApplication,
} from './application.ts'
import type { Change } from './changes/compare-configurations.ts'
import { findChanges, networkChanges } from './changes/find-changes.ts'
import {
  type ApplicationConfig,
  computeRevision,
  type Entry,
  listVariableRows,
  mergeVariables,
  readApplicationConfig,
  readProjectVariables,
  sealCommand,
} from './config.ts'
import { type EntryKind, replaceRows, writeEntries } from './entries/entry-list.ts'
import { labels } from './entries/labels.ts'
import { variables } from './entries/variables.ts'
import { volumes } from './entries/volumes.ts'
import { checkBuilder } from './host-access.ts'
import { changeVariables } from './compose-token-limit.ts'
import { findRelease, openReleaseConfiguration, type Release } from './release.ts'
import { findSource, updateSource } from './source.ts'
import { assertProgramUnchanged, assertWithinTokenLimit, changeCompose } from './update-application.ts'

interface Reset {
  release: Release
  env: Pair[]
  from: ApplicationConfig
  to: ApplicationConfig
  changes: Change[]
  remaining: Change[]
  revision: string
}

export async function previewReset(ctx: Context, actor: Actor, id: Id<'application'>) {
  const reset = await planReset(ctx, ctx.db, await getApplicationRow(ctx, actor, id))
  return { ...present(reset), revision: reset.revision }
}

/** Restores what the live release froze. Domains, published ports and project variables stay as they are. */
export const resetConfiguration = (
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  revision: string | undefined,
) =>
  withLockedApplication(ctx, actor, id, async (trx, application) => {
    const reset = await planReset(ctx, trx, application)
    if (revision !== undefined && revision !== reset.revision)
      throw conflict(
        'changed_since',
        `The configuration or the live release of ${application.name} has changed since your review. Review the changes again.`,
      )
    if (reset.changes.length === 0) return present(reset)
    await restore(ctx, actor, trx, application, reset)
    await emit(
      trx,
      actor,
      application.workspace_id,
      'application.configuration_reset',
      applicationTarget(application),
      summarizeNames([`release ${reset.release.number}`, ...reset.changes.map(({ field }) => field)]),
    )
    return present(reset)
  })

const present = ({ release: { id, number }, changes, remaining }: Reset) => ({
  release: { id, number },
  changes,
  remaining,
})

async function planReset(ctx: Context, db: Db, application: ApplicationRow): Promise<Reset> {
  const { workspace_id: workspaceId, id, project_id: projectId } = application
  const release = await getLiveRelease(db, application)
  const live = openReleaseConfiguration(ctx, release)
  const from = await readApplicationConfig(ctx, db, application)
  const inherited = await readProjectVariables(ctx, db, workspaceId, projectId)
  const own = (await listVariableRows(db, workspaceId, id)).map(({ key }) => key)
  const env = withoutInherited(live.env, own, inherited)
  const to = {
    config: restoreSettings(from, live),
    compose: live.compose,
    env: mergeVariables(inherited, env),
  }
  return {
    release,
    env,
    from,
    to,
    changes: await findChanges(workspaceId, from, to),
    remaining: [
      ...(await findChanges(workspaceId, live, to)),
      ...(await networkChanges(db, workspaceId, id)),
    ],
    revision: ctx.secrets.fingerprint(JSON.stringify([computeRevision(ctx, from), from.config, release.id])),
  }
}

async function getLiveRelease(db: Db, { workspace_id, release_id, name }: ApplicationRow): Promise<Release> {
  const release = release_id ? await findRelease(db, workspace_id, release_id) : undefined
  if (!release)
    throw conflict(
      'never_deployed',
      `The application ${name} has never been deployed, so there is no configuration to reset to. Deploy it first.`,
    )
  return release
}

/** Drops variables that only the project sets now: a reset must not turn them into variables of the application. */
function withoutInherited(frozen: readonly Pair[], own: readonly string[], inherited: readonly Pair[]) {
  const kept = new Set(own)
  const projectKeys = new Set(inherited.map(({ key }) => key))
  return frozen.filter(({ key }) => kept.has(key) || !projectKeys.has(key))
}

/** Besides its file, a compose application has only the two settings named here. */
function restoreSettings(from: ApplicationConfig, { config: live, compose }: ApplicationConfig) {
  const { health, drain_seconds } = live
  if (compose) return { ...from.config, health, drain_seconds }
  const { services: _, profiles: __, build, ...settings } = live
  return {
    ...settings,
    stop_first: live.stop_first ?? false,
    ...(build && { build: keepAccount(build, from.config.build) }),
  }
}

/** Keeps the current name and account of the same repository, because both may have changed since the release. */
const keepAccount = (live: BuildConfig, from: BuildConfig | undefined): BuildConfig =>
  from?.repository_id === live.repository_id
    ? { ...live, repository: from.repository, integration_id: from.integration_id }
    : live

async function restore(
  ctx: Context,
  actor: Actor,
  trx: Trx,
  application: ApplicationRow,
  { env, from, to, changes }: Reset,
): Promise<void> {
  const { workspace_id: workspaceId, id } = application
  const asRoot = canActAsRoot(actor, await getServerRow({ ...ctx, db: trx }, actor, application.server_id))
  const program = changes.flatMap(({ field }) => (/^(env|labels)\./.test(field) ? [] : [field]))
  if (!asRoot) assertProgramUnchanged([...from.config.volumes, ...to.config.volumes], program)
  await changeVariables(ctx, trx, actor, [application], () =>
    restoreEntries(ctx, trx, application, variables, env),
  )
  if (to.compose) {
    const source = { type: application.source_type, compose: to.compose.text, profiles: to.compose.profiles }
    const compose = await changeCompose(ctx, actor, trx, application, source)
    await changeApplication(trx, workspaceId, id, { ...compose, ...toColumns(ctx, application, to.config) })
    return
  }
  await restoreEntries(ctx, trx, application, labels, to.config.labels)
  await restoreEntries(ctx, trx, application, volumes, to.config.volumes)
  if (to.config.build) await restoreBuild(ctx, actor, trx, application, asRoot, to.config.build)
  await changeApplication(trx, workspaceId, id, {
    ...toColumns(ctx, application, to.config),
    ...(!to.config.build && { image: to.config.image }),
  })
}

async function restoreEntries<Row extends Entry, Input>(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  kind: EntryKind<Row, Input, unknown>,
  inputs: readonly Input[],
): Promise<void> {
  const before = await kind.list(trx, application.workspace_id, application.id)
  const rows = replaceRows(ctx, kind, application, before, inputs)
  await writeEntries(trx, application.workspace_id, kind.table, before, rows)
}

async function restoreBuild(
  ctx: Context,
  actor: Actor,
  trx: Trx,
  { workspace_id: workspaceId, id }: ApplicationRow,
  asRoot: boolean,
  build: BuildConfig,
): Promise<void> {
  checkBuilder(asRoot, build, await findSource(trx, workspaceId, id))
  await assertWithinTokenLimit({ ...ctx, db: trx }, actor, id, build)
  const account = build.integration_id && (await findIntegration(trx, workspaceId, build.integration_id))
  await updateSource(ctx, trx, workspaceId, id, { ...build, integration_id: account ? account.id : null })
}

const toColumns = (ctx: Context, { id }: ApplicationRow, config: ReleaseConfig) => ({
  command_sealed: sealCommand(ctx, id, config.command),
  port: config.port,
  health: JSON.stringify(config.health),
  memory_limit: config.memory_limit,
  cpu_limit: config.cpu_limit,
  replicas: config.replicas,
  restart: config.restart,
  stop_grace_seconds: config.stop_grace_seconds,
  drain_seconds: config.drain_seconds,
  ...(config.stop_first !== undefined && { stop_first: config.stop_first }),
})

import type { Context } from '../../context.ts'
import type { Db, ReleaseConfig, Trx, Tables } from '../../tables.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { type ComposeText, openCompose } from './compose.ts'
import { findSource, toBuildConfig } from './source.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { type ApplicationRow, findProject } from './application.ts'
import type { z } from 'zod'
import type { inheritedVariable } from '../../../contract/application-entries.ts'
import type { projectVariable } from '../../../contract/projects.ts'
import { type Insertable, type Selectable, sql } from 'kysely'

export type { ReleaseConfig }

type WithSecrets = Pick<Context, 'secrets'>

export interface ApplicationConfig {
  config: ReleaseConfig
  env: Pair[]
  compose: ComposeText | null
}

const sealedVariables = sealedEntries('variables')
const sealedLabels = sealedEntries('labels')
const sealedProjectVariables = sealedEntries('project_variables')

export async function readApplicationConfig(
  ctx: WithSecrets,
  db: Db,
  application: ApplicationRow,
): Promise<ApplicationConfig> {
  const { workspace_id: workspaceId, id } = application
  const [variables, labels, volumes] = [
    await listVariableRows(db, workspaceId, id),
    await listLabelRows(db, workspaceId, id),
    await listVolumeRows(db, workspaceId, id),
  ]
  const inherited = await readProjectVariables(ctx, db, workspaceId, application.project_id)
  const source = application.source_type === 'github' ? await findSource(db, workspaceId, id) : undefined
  return {
    config: {
      image: application.image ?? '',
      command: openCommand(ctx, application),
      port: application.port,
      health: application.health,
      memory_limit: application.memory_limit,
      cpu_limit: application.cpu_limit,
      replicas: application.replicas,
      restart: application.restart,
      stop_grace_seconds: application.stop_grace_seconds,
      drain_seconds: application.drain_seconds,
      stop_first: application.stop_first,
      labels: labels.map((row) => ({ key: row.key, value: sealedLabels.open(ctx, row) })),
      volumes: volumes.map(({ source, target }) => ({ source, target })),
      ...(source && { build: toBuildConfig(ctx, source) }),
    },
    compose: openCompose(ctx, application),
    env: mergeVariables(
      inherited,
      variables.map((row) => ({ key: row.key, value: sealedVariables.open(ctx, row) })),
    ),
  }
}

/** Commands may hold secrets, so they are sealed for the row. */
const commandSealContext = (id: Id<'application'>) => `applications.command_sealed:${id}`

export const sealCommand = ({ secrets }: WithSecrets, id: Id<'application'>, command: string[] | null) =>
  command && secrets.seal(commandSealContext(id), JSON.stringify(command))

export const openCommand = (
  { secrets }: WithSecrets,
  { id, command_sealed: sealed }: Pick<ApplicationRow, 'id' | 'command_sealed'>,
): string[] | null =>
  // The cast is safe, because only `sealCommand` writes the sealed value.
  sealed === null ? null : (JSON.parse(secrets.open(commandSealContext(id), sealed)) as string[])

/** Computes a keyed hash, so that nobody can guess values from the revision. */
export const computeRevision = (
  { secrets }: WithSecrets,
  { config, compose, env }: ApplicationConfig,
): string => secrets.fingerprint(JSON.stringify(compose ? [compose, env] : [config, env]))

/** Lets the creator deploy without a plan. Returns null with project variables: others may have set them, so a plan must show them. */
export async function computeFirstRevision(
  ctx: WithSecrets,
  trx: Trx,
  application: ApplicationRow,
): Promise<string | null> {
  const { workspace_id, project_id } = application
  const inherited = await readProjectVariables(ctx, trx, workspace_id, project_id)
  return inherited.length > 0
    ? null
    : computeRevision(ctx, await readApplicationConfig(ctx, trx, application))
}

/** Project variables: the containers of an application receive them with its next deployment. */
export async function readProjectVariables(
  ctx: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'> | null,
): Promise<Pair[]> {
  if (projectId === null) return []
  const rows = await listProjectVariableRows(db, workspaceId, projectId)
  return rows.map((row) => ({ key: row.key, value: sealedProjectVariables.open(ctx, row) }))
}

/** Merges project variables and environment variables: those of the application override those of its project. */
export function mergeVariables(inherited: readonly Pair[], own: readonly Pair[]): Pair[] {
  const keys = new Set(own.map(({ key }) => key))
  return [...inherited.filter(({ key }) => !keys.has(key)), ...own]
}

export async function listInheritedVariables(
  ctx: Context,
  { workspace_id: workspaceId, project_id: projectId }: ApplicationRow,
  { own, withValues }: { own: Set<string>; withValues: boolean },
): Promise<z.input<typeof inheritedVariable>[]> {
  const project = projectId === null ? undefined : await findProject(ctx.db, workspaceId, projectId)
  if (!project) return []
  const rows = await listProjectVariableRows(ctx.db, workspaceId, project.id)
  return rows.map((row) => ({
    ...presentProjectVariable(ctx, row, withValues),
    project,
    overridden: own.has(row.key),
  }))
}

export const presentProjectVariable = (
  ctx: WithSecrets,
  row: ProjectVariableRow,
  withValue?: boolean,
): z.input<typeof projectVariable> => ({ id: row.id, ...sealedProjectVariables.present(ctx, row, withValue) })

export type VariableRow = Selectable<Tables['variables']>
export type ProjectVariableRow = Selectable<Tables['project_variables']>
export type LabelRow = Selectable<Tables['labels']>
export type VolumeRow = Selectable<Tables['volumes']>
export type PortRow = Selectable<Tables['published_ports']>

export interface Entry {
  id: string
  position: number
}

export type EntryTable = 'variables' | 'labels' | 'volumes' | 'project_variables'

const listEntryRows =
  <T extends EntryTable, K extends 'application' | 'project'>(table: T, owner: K) =>
  async (db: Db, workspaceId: Id<'workspace'>, id: Id<K>): Promise<Selectable<Tables[T]>[]> => {
    const { rows } = await sql<Selectable<Tables[T]>>`
      select * from ${sql.table(table)}
      where workspace_id = ${workspaceId} and ${sql.ref(`${owner}_id`)} = ${id} order by position, id`.execute(
      db,
    )
    return rows
  }

export const listVariableRows = listEntryRows('variables', 'application')
export const listLabelRows = listEntryRows('labels', 'application')
export const listVolumeRows = listEntryRows('volumes', 'application')
export const listProjectVariableRows = listEntryRows('project_variables', 'project')

export const listPortRows = (db: Db, workspaceId: Id<'workspace'>, id: Id<'application'>) =>
  db
    .selectFrom('published_ports')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('application_id', '=', id)
    .orderBy('source')
    .orderBy('host')
    .execute()

export const upsertPorts = (
  db: Db,
  workspaceId: Id<'workspace'>,
  rows: Insertable<Tables['published_ports']>[],
) =>
  rows.length === 0
    ? undefined
    : db
        .insertInto('published_ports')
        .values(rows.map((row) => ({ ...row, workspace_id: workspaceId })))
        .onConflict((conflict) =>
          conflict.columns(['application_id', 'host', 'source']).doUpdateSet((row) => ({
            service: row.ref('excluded.service'),
            target: row.ref('excluded.target'),
          })),
        )
        .execute()

interface SealedVariable {
  id: string
  key: string
  value_sealed: string
  updated_at: Date
}

/** Shared by application variables, project variables and labels. Each value is sealed for its row. */
export function sealedEntries(table: 'variables' | 'project_variables' | 'labels') {
  const place = (id: string) => `${table}.value_sealed:${id}`
  const open = (
    { secrets }: WithSecrets,
    { id, value_sealed: sealed }: Pick<SealedVariable, 'id' | 'value_sealed'>,
  ) => secrets.open(place(id), sealed)
  const sealValue = ({ secrets }: WithSecrets, id: string, value: string) => secrets.seal(place(id), value)
  const seal = ({ secrets, now }: Pick<Context, 'secrets' | 'now'>, id: string, { key, value }: Pair) => ({
    key,
    value_sealed: sealValue({ secrets }, id, value),
    updated_at: now(),
  })
  return {
    open,
    seal,
    sealValue,
    /** Unchanged values keep their modification time. */
    change: <Row extends SealedVariable>(ctx: Context, row: Row, input: Pair): Row =>
      row.key === input.key && open(ctx, row) === input.value ? row : { ...row, ...seal(ctx, row.id, input) },
    /** Omits the ID, whose type depends on the table. */
    present: (ctx: WithSecrets, row: SealedVariable, withValue = true) => ({
      key: row.key,
      value: withValue ? open(ctx, row) : null,
      updated_at: row.updated_at.toISOString(),
    }),
  }
}

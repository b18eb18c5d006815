import type { Context } from '../../context.ts'
import type { Db, ReleaseConfig, Trx } from '../../tables.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { type ComposeText, openCompose } from './compose.ts'
import type { ApplicationRow } from './store.ts'
import {
  listLabelRows,
  listProjectVariableRows,
  listVariableRows,
  listVolumeRows,
} from './entries/entries-store.ts'
import { sealedEntries } from './entries/sealed-entries.ts'
import { findSource, toBuildConfig } from './source.ts'
import type { Id } from '../../../contract/shared/ids.ts'

export type { ReleaseConfig }

export interface ApplicationConfig {
  config: ReleaseConfig
  env: Pair[]
  compose: ComposeText | null
}

const { open } = sealedEntries('variables')
const label = sealedEntries('labels')

export async function readApplicationConfig(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  application: ApplicationRow,
): Promise<ApplicationConfig> {
  const { workspace_id: workspaceId, id } = application
  const [variables, labels, volumes] = [
    await listVariableRows(db, workspaceId, id),
    await listLabelRows(db, workspaceId, id),
    await listVolumeRows(db, workspaceId, id),
  ]
  const inherited = await readInherited(ctx, db, workspaceId, application.project_id)
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
      stop_seconds: application.stop_seconds,
      drain_seconds: application.drain_seconds,
      stop_first: application.stop_first,
      labels: labels.map((row) => ({ key: row.key, value: label.open(ctx, row) })),
      volumes: volumes.map(({ source, target }) => ({ source, target })),
      ...(source && { build: toBuildConfig(ctx, source) }),
    },
    compose: openCompose(ctx, application),
    env: withInherited(
      inherited,
      variables.map((row) => ({ key: row.key, value: open(ctx, row) })),
    ),
  }
}

type WithSecrets = Pick<Context, 'secrets'>

/** Commands may hold secrets, so they are sealed for the row. */
const place = (id: Id<'application'>) => `applications.command_sealed:${id}`

export const sealCommand = ({ secrets }: WithSecrets, id: Id<'application'>, command: string[] | null) =>
  command && secrets.seal(place(id), JSON.stringify(command))

export const openCommand = (
  { secrets }: WithSecrets,
  { id, command_sealed: sealed }: Pick<ApplicationRow, 'id' | 'command_sealed'>,
): string[] | null =>
  // The sealed value was written by sealCommand.
  sealed === null ? null : (JSON.parse(secrets.open(place(id), sealed)) as string[])

/** Keyed, so that values cannot be guessed from it. */
export const computeRevision = (
  { secrets }: Pick<Context, 'secrets'>,
  { config, compose, env }: ApplicationConfig,
): string => secrets.fingerprint(JSON.stringify(compose ? [compose, env] : [config, env]))

/** For the first deployment by the creator. Project variables may belong to others, so they require a plan. */
export async function computeFirstRevision(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  application: ApplicationRow,
): Promise<string | null> {
  const { workspace_id, project_id } = application
  const inherited = await readInherited(ctx, trx, workspace_id, project_id)
  return inherited.length > 0
    ? null
    : computeRevision(ctx, await readApplicationConfig(ctx, trx, application))
}

const projectVariable = sealedEntries('project_variables')

export async function readInherited(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  workspaceId: Id<'workspace'>,
  projectId: Id<'project'> | null,
): Promise<Pair[]> {
  if (projectId === null) return []
  const rows = await listProjectVariableRows(db, workspaceId, projectId)
  return rows.map((row) => ({ key: row.key, value: projectVariable.open(ctx, row) }))
}

export function withInherited(inherited: readonly Pair[], own: readonly Pair[]): Pair[] {
  const keys = new Set(own.map(({ key }) => key))
  return [...inherited.filter(({ key }) => !keys.has(key)), ...own]
}

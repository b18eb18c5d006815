import type { Context } from '../../context.ts'
import type { Db, ReleaseConfig } from '../../tables.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import { type ComposeText, openCompose } from './compose.ts'
import type { ApplicationRow } from './store.ts'
import { listLabelRows, listVariableRows, listVolumeRows } from './entries/entries-store.ts'
import { openCommand } from './sealed-command.ts'
import { readInherited, withInherited } from './entries/inherited.ts'
import { sealedEntries } from './entries/sealed-entries.ts'
import { toBuildConfig, findSource } from './source.ts'

export type { ReleaseConfig }

/** The configuration of new containers. */
export interface ApplicationConfig {
  config: ReleaseConfig
  env: Pair[]
  /** Only for compose applications. */
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

import type { Context } from '../../context.ts'
import type { Db, ReleaseConfig } from '../../tables.ts'
import type { Pair } from '../../../contract/entries.ts'
import { type ComposeText, openCompose } from './compose.ts'
import type { ApplicationRow } from './store.ts'
import { listLabelRows, listVariableRows, listVolumeRows } from './entries-store.ts'
import { buildOf, findSource } from './source.ts'

export type { ReleaseConfig }

/** What a container would be made of now. */
export interface Configured {
  config: ReleaseConfig
  env: Pair[]
  /** Of an application that is a compose file. */
  compose: ComposeText | null
}

/** As it is configured at this moment, with all that is needed to make a container of it. */
export async function readConfigured(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  application: ApplicationRow,
): Promise<Configured> {
  const { workspace_id: workspaceId, id } = application
  const [variables, labels, volumes] = [
    await listVariableRows(db, workspaceId, id),
    await listLabelRows(db, workspaceId, id),
    await listVolumeRows(db, workspaceId, id),
  ]
  const source = application.source_type === 'github' ? await findSource(db, workspaceId, id) : undefined
  return {
    config: {
      image: application.image ?? '',
      command: application.command,
      port: application.port,
      health: application.health,
      memory_limit: application.memory_limit,
      cpu_limit: application.cpu_limit,
      replicas: application.replicas,
      restart: application.restart,
      stop_seconds: application.stop_seconds,
      drain_seconds: application.drain_seconds,
      stop_first: application.stop_first,
      labels: labels.map(({ key, value }) => ({ key, value })),
      volumes: volumes.map(({ source, target }) => ({ source, target })),
      ...(source && { build: buildOf(source) }),
    },
    compose: openCompose(ctx, application),
    env: variables.map((row) => ({
      key: row.key,
      value: ctx.secrets.open(valuePlace(row.id), row.value_sealed),
    })),
  }
}

export const valuePlace = (id: string) => `variables.value_sealed:${id}`

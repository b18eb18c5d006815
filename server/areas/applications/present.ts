import type { z } from 'zod'
import type { application, applicationDetails } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import { addressOf } from './address.ts'
import type { Facts } from './facts-store.ts'
import { commandOf } from './own-command.ts'
import { settingsOf, type SourceRow } from './source.ts'
import { stateOf } from './state.ts'
import type { ApplicationRow } from './store.ts'

export const present = (
  { config }: Pick<Context, 'config'>,
  row: ApplicationRow,
  facts: Facts,
  changed: boolean,
): z.input<typeof application> => ({
  id: row.id,
  name: row.name,
  ...stateOf(row, facts),
  source: {
    type: row.source_type,
    image: row.image,
    services: row.services?.toSorted() ?? null,
    profiles: row.profiles,
    repository: facts.repository && {
      ...facts.repository,
      url: `${config.GITHUB_URL}/${facts.repository.name}`,
    },
  },
  server: { id: row.server_id, name: facts.server_name },
  project: facts.project,
  address: addressOf(facts),
  changed,
  release: releaseOf(row, facts),
  deployment: facts.deployment && {
    ...facts.deployment,
    created_at: new Date(facts.deployment.created_at).toISOString(),
  },
  created_at: row.created_at.toISOString(),
})

function releaseOf({ release_id: id }: ApplicationRow, facts: Facts): z.input<typeof application>['release'] {
  const { release_number: number, release_image: image, is_older: older, release_commit: commit } = facts
  return id !== null && number !== null && image !== null ? { id, number, image, older, commit } : null
}

type Details = z.input<typeof applicationDetails>

/** Removes values that may be secret, for callers without permission to manage the application. */
export const withoutValues = (details: Details, redact: (text: string) => string): Details => ({
  ...details,
  masked: true,
  command: null,
  repository: details.repository && {
    ...details.repository,
    generated: null,
    build_args: details.repository.build_args.map(({ key }) => ({ key, value: null })),
  },
  reason: details.reason === null ? null : redact(details.reason),
  drift: details.drift.map(redact),
  proxy_error: details.proxy_error === null ? null : redact(details.proxy_error),
})

export const presentDetails = (
  ctx: Pick<Context, 'config' | 'secrets'>,
  row: ApplicationRow,
  facts: Facts,
  { changed, drift, source }: { changed: boolean; drift: string[]; source: SourceRow | undefined },
): z.input<typeof applicationDetails> => ({
  ...present(ctx, row, facts, changed),
  masked: false,
  repository: source ? settingsOf(ctx, source) : null,
  command: commandOf(ctx, row),
  port: row.port,
  health: row.health,
  memory_limit: row.memory_limit,
  cpu_limit: row.cpu_limit,
  replicas: row.replicas,
  restart: row.restart,
  stop_seconds: row.stop_seconds,
  drain_seconds: row.drain_seconds,
  stop_first: row.stop_first,
  auto_rollback: row.auto_rollback,
  maintenance: row.maintenance,
  drift,
  proxy_error: facts.proxy_error,
})

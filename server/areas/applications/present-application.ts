import type { z } from 'zod'
import type { application, applicationDetails } from '../../../contract/applications.ts'
import type { Context } from '../../context.ts'
import { toApplicationUrl } from './application-url.ts'
import type { ApplicationFacts } from './facts-store.ts'
import { openCommand } from './sealed-command.ts'
import { toRepositorySettings, type SourceRow } from './source.ts'
import { computeApplicationState } from './state.ts'
import type { ApplicationRow } from './store.ts'

export const presentApplication = (
  { config }: Pick<Context, 'config'>,
  row: ApplicationRow,
  facts: ApplicationFacts,
  changed: boolean,
): z.input<typeof application> => ({
  id: row.id,
  name: row.name,
  ...computeApplicationState(row, facts),
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
  address: toApplicationUrl(facts),
  changed,
  release: releaseOf(row, facts),
  deployment: facts.deployment && {
    ...facts.deployment,
    created_at: new Date(facts.deployment.created_at).toISOString(),
  },
  created_at: row.created_at.toISOString(),
})

function releaseOf(
  { release_id: id }: ApplicationRow,
  facts: ApplicationFacts,
): z.input<typeof application>['release'] {
  const { release_number: number, release_image: image, is_older: older, release_commit: commit } = facts
  return id !== null && number !== null && image !== null ? { id, number, image, older, commit } : null
}

type Details = z.input<typeof applicationDetails>

/** Removes values that may be secret, for callers without permission to manage the application. */
export const withoutSecretValues = (details: Details, redact: (text: string) => string): Details => ({
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

export const presentApplicationDetails = (
  ctx: Pick<Context, 'config' | 'secrets'>,
  row: ApplicationRow,
  facts: ApplicationFacts,
  { changed, drift, source }: { changed: boolean; drift: string[]; source: SourceRow | undefined },
): z.input<typeof applicationDetails> => ({
  ...presentApplication(ctx, row, facts, changed),
  masked: false,
  repository: source ? toRepositorySettings(ctx, source) : null,
  command: openCommand(ctx, row),
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

import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../../server/context.ts'
import { changeApplication } from '../../../server/areas/applications/application.ts'
import { sealCommand } from '../../../server/areas/applications/config.ts'
import { sealErrors } from '../../../server/areas/deployments/run/deployment.ts'
import { LogBatch } from '../../../server/areas/logs/log-batch.ts'
import { saveLog } from '../../../server/areas/saved-logs/saved-log.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Db, Tables } from '../../../server/tables.ts'
import { unique } from './factories.ts'

/** An image application that was never deployed, by default. */
export async function makeApplication(
  db: Db,
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
  given: Partial<Insertable<Tables['applications']>> = {},
): Promise<Id<'application'>> {
  const id = given.id ?? newId('application')
  const name = unique('shop')
  await db
    .insertInto('applications')
    .values({
      id,
      workspace_id,
      server_id,
      name,
      slug: id.replace('_', '-'),
      source_type: 'docker_image',
      image: 'rig/busybox:latest',
      ...given,
    })
    .execute()
  return id
}

export async function setCommand(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspace: Id<'workspace'>,
  application: Id<'application'>,
  command: string[] | null,
): Promise<void> {
  const command_sealed = sealCommand(ctx, application, command)
  await changeApplication(ctx.db, workspace, application, { command_sealed })
}

/** The last release created is live; nothing exists on the server. */
export async function makeRelease(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspace_id: Id<'workspace'>,
  application_id: Id<'application'>,
  number: number,
  given: Partial<Insertable<Tables['releases']>> = {},
): Promise<Id<'release'>> {
  const id = given.id ?? newId('release')
  await ctx.db
    .insertInto('releases')
    .values({
      id,
      workspace_id,
      application_id,
      number,
      image: 'rig/busybox:latest',
      image_id: `sha256:${'0'.repeat(64)}`,
      config: JSON.stringify({
        image: 'rig/busybox:latest',
        port: null,
        health: { type: 'auto', path: '/', within_seconds: 60 },
        memory_limit: null,
        cpu_limit: null,
        replicas: 1,
        restart: 'always',
        stop_grace_seconds: 10,
        drain_seconds: 30,
        volumes: [],
      }),
      env_sealed: ctx.secrets.seal(`releases.env_sealed:${id}`, '[]'),
      live_at: new Date(),
      ...given,
    })
    .execute()
  await ctx.db
    .updateTable('applications')
    .set({ release_id: id })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', application_id)
    .execute()
  return id
}

/** Successful by default. */
export async function makeDeployment(
  db: Db,
  workspace_id: Id<'workspace'>,
  application: { id: Id<'application'>; server: Id<'server'> },
  given: Partial<Insertable<Tables['deployments']>> = {},
): Promise<Id<'deployment'>> {
  const id = given.id ?? newId('deployment')
  await db
    .insertInto('deployments')
    .values({
      id,
      workspace_id,
      application_id: application.id,
      server_id: application.server,
      type: 'deploy_application',
      status: 'completed',
      actor_name: 'Ada',
      ...given,
    })
    .execute()
  return id
}

export function failedWith(ctx: Pick<Context, 'secrets'>, errors: string[]) {
  const id = newId('deployment')
  return { id, status: 'failed' as const, errors_sealed: sealErrors(ctx, id, errors) }
}

/** Builds and deploys pushes to `main` by default. */
export async function makeSource(
  db: Db,
  workspace_id: Id<'workspace'>,
  application_id: Id<'application'>,
  given: Pick<Insertable<Tables['sources']>, 'integration_id' | 'repository_id' | 'repository'> &
    Partial<Insertable<Tables['sources']>>,
): Promise<void> {
  await db
    .updateTable('applications')
    .set({ source_type: 'github', image: null })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', application_id)
    .execute()
  await db
    .insertInto('sources')
    .values({
      workspace_id,
      application_id,
      branch: 'main',
      folder: '',
      builder: 'auto',
      dockerfile: '',
      generated_sealed: null,
      target: '',
      build_args_sealed: null,
      build_secrets: [],
      submodules: false,
      lfs: false,
      build_memory: null,
      build_cpus: null,
      build_minutes: 30,
      deploy_on: 'push',
      tags: '',
      watch_paths: [],
      ...given,
    })
    .execute()
}

/** A saved log with these lines, one millisecond apart. */
export async function makeSavedLog(
  ctx: Pick<Context, 'db' | 'secrets'>,
  workspace_id: Id<'workspace'>,
  id: Id<'application'>,
  lines: readonly string[] = ['Started', 'Done'],
  given: Partial<Parameters<typeof saveLog>[2]> & { from?: Date; log_megabytes?: number } = {},
): Promise<Id<'savedLog'>> {
  const { from = new Date(Date.now() - 60_000), log_megabytes = 50, ...details } = given
  const container_id = newId('savedLog').padEnd(64, '0')
  const batch = new LogBatch()
  for (const [index, text] of lines.entries()) {
    const at = new Date(from.getTime() + index).toISOString()
    batch.add(at.replace('Z', '000000Z'), 0, text)
  }
  async function* read() {
    yield batch
    return { isTruncated: false }
  }
  await saveLog(
    ctx,
    { workspace_id, id, log_days: 7, log_megabytes },
    {
      release: 1,
      deployment_id: null,
      service: '',
      container_id,
      container_name: 'shop-1-1-abcd',
      exit_code: 1,
      restarts: 0,
      ...details,
    },
    read(),
  )
  const row = await ctx.db
    .selectFrom('saved_logs')
    .select('id')
    .where('application_id', '=', id)
    .where('container_id', '=', details.container_id ?? container_id)
    .executeTakeFirstOrThrow()
  return row.id
}

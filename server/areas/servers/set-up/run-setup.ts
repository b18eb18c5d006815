import { type Id, id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { defineJob, type JobRun } from '../../../platform/jobs.ts'
import { removeDetached } from '../../../remote/detached.ts'
import { requestProxySync } from '../proxy-sync.ts'
import { getServerHost, toServerProblem } from '../server-host.ts'
import { isSetupFinished, setupAttempts } from '../request-setup.ts'
import { readCurrentServer, saveProgress, ServerDeleted, SetUpFailed, type SetupRun } from './setup-run.ts'
import { connectForSetup } from './connect-for-setup.ts'
import { enableLiveRestore } from './live-restore.ts'
import { runScript, setupRunId } from './run-setup-script.ts'
import { findSetup, type SetupRow, updateSetup } from './store.ts'
import { verifySetup, type Versions } from './verify-setup.ts'
import { sql } from 'kysely'
import { transaction } from '../../../platform/transaction.ts'
import { emit } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import { changeServer, lockServer, type ServerRow, serverTarget } from '../server.ts'
import { z } from 'zod'

export async function setUpServer(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'setup'>,
  run: JobRun,
): Promise<void> {
  const setup = await findSetup(ctx.db, workspaceId, id)
  // The server was deleted, or a worker finished and died before it completed the job.
  if (!setup || isSetupFinished(setup)) return
  const attempt: SetupRun = { ctx, run, setup }
  try {
    const target = await connectForSetup(attempt)
    await runScript(attempt, target)
    const versions = await verifySetup(attempt)
    await enableLiveRestore(attempt)
    await complete(attempt, versions)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof ServerDeleted) return
    await fail(attempt, await toFailureMessage(attempt, error))
  }
  await cleanUp(attempt)
}

const complete = (attempt: SetupRun, versions: Versions) =>
  saveProgress(
    attempt,
    { status: 'completed', finished_at: new Date() },
    'The server is ready.\n',
    async (trx) => {
      if (!(await markServerReady(trx, attempt.setup, versions))) throw new ServerDeleted()
      await requestProxySync(attempt.ctx, trx, attempt.setup)
    },
  )

async function toFailureMessage(attempt: SetupRun, error: unknown): Promise<string> {
  if (error instanceof SetUpFailed) return error.message
  const problem = toServerProblem(await readCurrentServer(attempt), error)
  if (problem instanceof Problem) return problem.message
  if (attempt.run.attempt < setupAttempts) throw error
  return 'Setup failed because of an internal error. See the Slipway log, then set up again; completed steps are not repeated.'
}

function fail(attempt: SetupRun, reason: string) {
  // Skip an error that the script has already printed.
  const output = attempt.setup.error === reason ? '' : `!! ${reason}\n`
  const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
  return saveProgress(attempt, changes, output, async (trx) => {
    if (!(await markServerFailed(trx, attempt.setup, reason))) throw new ServerDeleted()
  })
}

/** Best effort: leftover output on the server is small and harmless. */
async function cleanUp(attempt: SetupRun): Promise<void> {
  const { ctx, setup } = attempt
  try {
    await removeDetached(getServerHost(ctx, await readCurrentServer(attempt)), setupRunId(setup))
  } catch (error) {
    ctx.log.debug({ setup: setup.id, reason: String(error) }, 'Failed to remove setup files from a server')
  }
}

const reason =
  'Slipway exited during each attempt of this setup. See the Slipway log, then set up again; completed steps are not repeated.'

export async function failOrphanedSetups(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<SetupRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from setups s
    where status in ('queued', 'running')
      and not exists (select from jobs j where j.key = 'set-up:' || s.server_id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id: workspaceId } of rows)
    await transaction(ctx.db, async (trx) => {
      const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
      const setup = await updateSetup(trx, workspaceId, id, changes)
      if (setup) await markServerFailed(trx, setup, reason)
    })
}

async function markServerReady(trx: Trx, setup: SetupRow, versions: Versions): Promise<boolean> {
  const server = await lockServer(trx, setup.workspace_id, setup.server_id)
  if (!server) return false
  await changeServer(trx, server.workspace_id, server.id, {
    ...(isOurs(server) ? { status: 'ready', reason: null } : {}),
    docker_version: versions.docker.version,
    docker_api_version: versions.docker.apiVersion,
    compose_version: versions.compose,
    last_seen_at: new Date(),
    http_port_used: server.http_port,
    https_port_used: server.https_port,
  })
  await emit(trx, 'slipway', server.workspace_id, 'server.setup_completed', serverTarget(server))
  return true
}

async function markServerFailed(trx: Trx, setup: SetupRow, reason: string): Promise<boolean> {
  const server = await lockServer(trx, setup.workspace_id, setup.server_id)
  if (!server) return false
  if (isOurs(server))
    await changeServer(trx, server.workspace_id, server.id, { status: 'failed', reason: reason })
  await emit(trx, 'slipway', server.workspace_id, 'server.setup_failed', serverTarget(server), reason)
  return true
}

/** Setup must not overwrite the status of a server that is being deleted or was moved. */
const isOurs = ({ status }: ServerRow) => status === 'setting_up'

const payload = z.object({ workspace_id: id('workspace'), setup_id: id('setup') })

export const jobs = [
  defineJob<Context, typeof payload>('set-up-server', payload, (ctx, input, run) =>
    setUpServer(ctx, input.workspace_id, input.setup_id, run),
  ),
  defineJob<Context, z.ZodObject>('fail-lost-set-ups', z.object({}), (ctx) => failOrphanedSetups(ctx)),
]

export const schedules = [
  { name: 'fail-lost-set-ups', everySeconds: 60, job: { kind: 'fail-lost-set-ups', payload: {} } },
]

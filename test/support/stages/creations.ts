import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import { provisionCloudServer } from '../../../server/areas/clouds/provision.ts'
import type { Context } from '../../../server/context.ts'
import { newId } from '../../../server/platform/ids.ts'
import { jobPayloadLocation, type JobRun, JobStopped } from '../../../server/platform/jobs.ts'
import { makeCloudToken } from '../factories/cloud-factories.ts'
import type { TestSlipway } from './context.ts'
import { makeTeam } from '../factories/factories.ts'
import type { FakeCloud } from '../fakes/clouds/cloud.ts'

/** A short time limit that boot and call still meet, which shortens all pauses. */
export const hurry = { CLOUD_TIMEOUT: '4' }

export const ordered = { region: 'fsn1', type: 'cx23', image: 'debian-12' }

/** A workspace with a cloud token. */
export async function makeBuyer(
  { db, ctx }: TestSlipway,
  cloud: Pick<FakeCloud, 'addToken'>,
  provider = 'hetzner',
) {
  const team = await makeTeam(db)
  const secret = cloud.addToken()
  return { ...team, secret, cloudToken: await makeCloudToken(ctx, team.workspace, secret, { provider }) }
}

export type Buyer = Awaited<ReturnType<typeof makeBuyer>>

export async function order(
  { ok }: TestSlipway,
  { admin, cloudToken }: Buyer,
  given: Partial<typeof ordered> & { name?: string } = {},
): Promise<Id<'server'>> {
  const { name = 'web', ...what } = given
  const cloud = { cloud_token_id: cloudToken, ...ordered, ...what }
  return (await ok(contract.createServer, { token: admin.token, body: { name, cloud } })).server.id
}

export const shown = async ({ ok }: TestSlipway, { admin }: Buyer, id: Id<'server'>) =>
  (await ok(contract.getServer, { token: admin.token, params: { id } })).server

type ShownCreation = Awaited<ReturnType<typeof shown>>

export const until = (
  slipway: TestSlipway,
  buyer: Buyer,
  id: Id<'server'>,
  isSo: (server: ShownCreation) => boolean,
  timeout = 120_000,
): Promise<ShownCreation> =>
  vi.waitFor(
    async () => {
      const server = await shown(slipway, buyer, id)
      if (!isSo(server)) throw new Error(`It is ${JSON.stringify(server)}.`)
      return server
    },
    { timeout, interval: 50 },
  )

interface WorkerOptions {
  /** Dies at this write. */
  diesAt?: number
  ctx?: Context
}

/** Runs the creation job without a worker. */
export function startMaking(
  slipway: TestSlipway,
  { workspace }: Pick<Buyer, 'workspace'>,
  id: Id<'server'>,
  { diesAt = Infinity, ctx = slipway.ctx }: WorkerOptions = {},
) {
  const lease = new AbortController()
  let writes = 0
  const run = {
    id: newId('job'),
    attempt: 1,
    fence: 1,
    signal: lease.signal,
    async assertLease() {
      if (++writes >= diesAt) lease.abort(new JobStopped('lease_lost'))
      lease.signal.throwIfAborted()
    },
  }
  const over = makeOn(ctx, { workspace_id: workspace, server_id: id }, run).then(
    () => undefined,
    (error: unknown) => error,
  )
  return {
    /** The error, or undefined. */
    over,
    /** Allows another worker to take over. */
    loseLease: () => lease.abort(new JobStopped('lease_lost')),
    async stop() {
      lease.abort(new JobStopped('shutting_down'))
      await over
    },
  }
}

/** Continues with the retried job as soon as it is due. */
async function makeOn(
  ctx: Context,
  first: Parameters<typeof provisionCloudServer>[1],
  run: JobRun,
): Promise<void> {
  await takeJob(ctx, first.server_id)
  for (let payload: typeof first | undefined = first; payload;) {
    await provisionCloudServer(ctx, payload, run)
    const job = await takeJob(ctx, first.server_id)
    payload = job && {
      ...first,
      ...tries.parse(JSON.parse(ctx.secrets.open(jobPayloadLocation(job.id), job.payload_sealed))),
    }
    if (job) await sleep(job.run_at.getTime() - Date.now(), undefined, { signal: run.signal })
  }
}

const tries = z.object({ tries: z.int() })

const takeJob = (ctx: Context, id: Id<'server'>) =>
  ctx.db
    .updateTable('jobs')
    .set({ state: 'done', finished_at: new Date() })
    .where('key', '=', `cloud:${id}`)
    .where('kind', '=', 'provision-server')
    .where('state', '=', 'queued')
    .returning(['id', 'payload_sealed', 'run_at'])
    .executeTakeFirst()

/** Works until the server must call, or the creation ends. */
export async function makeUntilCall(slipway: TestSlipway, buyer: Buyer, id: Id<'server'>) {
  const worker = startMaking(slipway, buyer, id)
  try {
    await until(slipway, buyer, id, ({ status, cloud }) => status === 'failed' || cloud?.step === 'call')
  } finally {
    await worker.stop()
  }
  return shown(slipway, buyer, id)
}

/** Long enough to observe what continues. */
export const aWhile = () => sleep(800)

import { z } from 'zod'
import { id, type Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob, type JobRun } from '../../platform/jobs.ts'
import { destroyCloudServer } from './destroy-cloud-server.ts'
import { checkCloudAccount, checkCloudAccounts } from './check-account.ts'
import { destroyOrphanedServer, resumeOrphans } from './orphans.ts'
import { provisionCloudServer } from './provision.ts'
import { toProviderAccount, findCloudToken } from '../cloud-tokens/cloud-token.ts'
import { isTokenRejection } from '../cloud-tokens/token-status.ts'
import { findProvider } from '../providers/providers.ts'

interface LeftoverKey {
  workspace_id: Id<'workspace'>
  cloud_token_id: Id<'cloudToken'>
  cloud_key_id: string
}

/** Removes the key of a server that was deleted before it connected. Best effort. */
export async function removeLeftoverKey(ctx: Context, left: LeftoverKey, { signal }: JobRun): Promise<void> {
  const token = await findCloudToken(ctx, left.workspace_id, left.cloud_token_id)
  if (!token) return
  try {
    await findProvider(token.provider)?.removeKey(toProviderAccount(ctx, token, signal), left.cloud_key_id)
  } catch (error) {
    if (!isTokenRejection(error)) throw error
    ctx.log.info(
      { key: left.cloud_key_id },
      'Failed to delete an SSH key at the cloud provider: the token was rejected',
    )
  }
}

const server = z.object({ workspace_id: id('workspace'), server_id: id('server') })
const tried = server.extend({ tries: z.int().optional() })
const account = z.object({ workspace_id: id('workspace'), cloud_token_id: id('cloudToken') })
const stray = account.extend({ cloud_id: z.string() })
const key = account.extend({ cloud_key_id: z.string() })

export const jobs = [
  defineJob<Context, typeof tried>('provision-server', tried, provisionCloudServer),
  defineJob<Context, z.ZodObject>('resume-clouds', z.object({}), (ctx) => resumeOrphans(ctx)),
  defineJob<Context, typeof tried>('destroy-server', tried, destroyCloudServer),
  defineJob<Context, typeof stray>('destroy-stray', stray, destroyOrphanedServer),
  defineJob<Context, typeof key>('remove-cloud-key', key, removeLeftoverKey),
  defineJob<Context, z.ZodObject>('look-at-clouds', z.object({}), (ctx) => checkCloudAccounts(ctx)),
  defineJob<Context, typeof account>('look-at-account', account, checkCloudAccount),
]

export const schedules = [
  {
    name: 'look-at-clouds',
    everySeconds: 60,
    atStart: true,
    job: { kind: 'look-at-clouds', payload: {}, lane: 'poll' as const },
  },
  {
    name: 'resume-clouds',
    everySeconds: 60,
    job: { kind: 'resume-clouds', payload: {}, lane: 'poll' as const },
  },
]

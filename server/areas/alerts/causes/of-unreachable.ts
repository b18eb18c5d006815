import type { Context } from '../../../context.ts'
import type { About } from '../about.ts'
import type { Gathering } from './gathering.ts'
import { inUtc } from './in-utc.ts'
import { serverOf } from './server-of.ts'
import { listNamesOn } from './store.ts'

/** As many names as one reads. */
const mostNames = 8

export async function ofUnreachable(ctx: Context, { subject, reading }: About, gathering: Gathering) {
  const { workspace_id: workspaceId } = subject
  const server = await serverOf(ctx, subject)
  if (!server) return
  gathering.fact('Reason', server.reason ?? reading.detail)
  gathering.fact('Last seen', server.last_seen_at && inUtc(server.last_seen_at))
  const names = await listNamesOn(ctx.db, workspaceId, server.id)
  const others = names.length - mostNames
  gathering.fact(
    'Runs there',
    names.slice(0, mostNames).join(', ') + (others > 0 ? ` and ${others} more` : ''),
  )
}

import type { z } from 'zod'
import type { getInstance } from '../../../contract/instance.ts'
import type { Context } from '../../context.ts'
import { version } from '../../version.ts'
import { readFacts } from './store.ts'

const startedAt = new Date(Date.now() - process.uptime() * 1000)

export async function getOverview(ctx: Context): Promise<z.input<(typeof getInstance)['reply']>> {
  const { workers, failing_mails, ...counts } = await readFacts(ctx.db)
  const database = ctx.health()
  return {
    instance: {
      version,
      public_url: ctx.config.PUBLIC_URL,
      started_at: startedAt.toISOString(),
      health: {
        database: database.ok ? healthy : { ok: false, problem: database.reason },
        worker:
          workers > 0
            ? healthy
            : { ok: false, problem: 'No worker is running. Start a process with ROLE=worker or ROLE=all.' },
        mail: mailHealth(ctx, failing_mails),
      },
      counts,
    },
  }
}

const healthy = { ok: true, problem: null }

function mailHealth({ mail }: Context, failing: number) {
  if (!mail) return { ok: true, problem: 'No mail server is configured, so no mail is sent.' }
  if (failing === 0) return healthy
  const mails = failing === 1 ? '1 mail was' : `${failing} mails were`
  return { ok: false, problem: `${mails} not accepted by the mail server. Send a test mail to see why.` }
}

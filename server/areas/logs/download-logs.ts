import type { z } from 'zod'
import type { downloadLogs as contract } from '../../../contract/logs.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Actor, ReplyWithHeaders } from '../../route.ts'
import { stillHasPermission } from '../auth/authenticate.ts'
import type { LogBatch } from './log-batch.ts'
import { type ContainerRef, getContainerLog, readRange } from './stream-logs.ts'
import { readLog } from './read-log.ts'
import { toLogProblem } from './log-source.ts'

type Query = z.output<typeof contract.query>

export async function downloadLogs(ctx: Context, actor: Actor, named: ContainerRef, query: Query) {
  const { source, name } = await getContainerLog(ctx, actor, named)
  const leave = new AbortController()
  const batches = readLog(source, readRange(query), leave.signal)
  // An error before the first line becomes an error response, not a truncated file.
  const first = await batches.next().catch(async (error: unknown) => {
    throw await toLogProblem(source, error)
  })

  async function* text(): AsyncGenerator<string> {
    try {
      for (let next = first; !next.done; next = await batches.next()) {
        // Lost access aborts the response, because a truncated file must not look complete.
        if (!(await stillHasPermission(ctx, actor, 'containers.read')))
          throw forbidden('You no longer have access to this log.')
        yield toText(next.value)
      }
    } finally {
      leave.abort()
    }
  }
  const toText = (batch: LogBatch) => batch.text(query.timestamps)

  const time = ctx.now().toISOString().slice(0, 19).replaceAll(':', '-')
  return new ReplyWithHeaders(text(), {
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': `attachment; filename="${name}-${time}Z.log"`,
  })
}

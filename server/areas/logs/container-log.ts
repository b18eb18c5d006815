import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { Actor } from '../../route.ts'
import { inspectContainer } from '../containers/inspect.ts'
import { getServerRow } from '../servers/server.ts'
import { toStamp } from './log-position.ts'
import { isRunningStatus, type LogSource } from './log-source.ts'

export interface ContainerRef {
  id: Id<'server'>
  cid: string
}

export interface ContainerLog {
  source: LogSource
  name: string
  isUp: boolean
}

/** Responds with 404 when the actor may not see the container. */
export async function getContainerLog(
  ctx: Context,
  actor: Actor,
  named: ContainerRef,
): Promise<ContainerLog> {
  const row = await getServerRow(ctx, actor, named.id)
  const found = await inspectContainer(ctx, row, named.cid)
  const isUp = isRunningStatus(found.State.Status)
  const source: LogSource = {
    ctx,
    workspace: actor.workspace.id,
    server: row.id,
    container: found.Id,
    tty: found.Config.Tty,
    isOver: !isUp,
  }
  return { source, name: found.Name.replace(/^\//, ''), isUp }
}

interface RangeQuery {
  tail?: string | undefined
  since?: string | undefined
  until?: string | undefined
}

/** `usual` is the default tail. */
export function readRange({ tail, ...given }: RangeQuery, usual?: number) {
  const [since, until] = [given.since, given.until].map((moment) => moment && toStamp(moment))
  if (since && until && since > until) throw new Invalid({ until: ['Must not be before since.'] })
  if (tail === undefined) return { since, until, tail: since ? undefined : usual }
  return { since, until, tail: tail === 'all' ? undefined : Number(tail) }
}

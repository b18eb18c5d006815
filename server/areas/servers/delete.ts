import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import { command } from '../../remote/command.ts'
import type { Actor } from '../../route.ts'
import { forgetOutput } from '../outputs/output.ts'
import { changed } from './connect.ts'
import { targetOf } from './reach.ts'
import type { ServerRow } from './server.ts'
import { deleteServerRow, listSources } from './store.ts'

/** Forgets the server. On the machine nothing ends; only our key is taken back, if that can be done at once. */
export async function deleteServer(ctx: Context, actor: Actor, id: Id<'server'>): Promise<void> {
  const { workspace } = actor
  const server = await transaction(ctx.db, async (trx) => {
    const sources = await listSources(trx, workspace.id, id)
    const gone = changed(await deleteServerRow(trx, workspace.id, id))
    await forgetOutput(trx, workspace.id, sources)
    await emit(trx, actor, workspace.id, 'server.deleted', { kind: 'server', id, name: gone.name })
    return gone
  })
  ctx.hosts.forget(id)
  if (server.status === 'ready' || server.status === 'failed') await takeBackKey(ctx, server)
}

/** A person waits for it, and nothing depends on it. */
const LIMIT = 3_000

/** The rest of the file is kept as it is: written beside, and put in its place only when it is complete. */
const WITHOUT_KEY = `
  file=$(readlink -f "$HOME/.ssh/authorized_keys") && [ -f "$file" ] || exit 0
  umask 077
  grep -vF -e "$1" "$file" > "$file.slipway"
  if [ $? -le 1 ]; then mv "$file.slipway" "$file"; else rm -f "$file.slipway"; fi`

async function takeBackKey(ctx: Context, server: ServerRow): Promise<void> {
  const key = server.public_key?.split(' ')[1]
  if (key === undefined || server.host_keys.length === 0) return
  // By a connection of its own: the one that served until now ends in every process as they hear of the deletion.
  const last = `${server.id}:last`
  const signal = AbortSignal.timeout(LIMIT)
  try {
    const host = ctx.hosts.get({ ...targetOf(ctx, server), id: last })
    await host.connect(signal)
    await host.run(command('sh', '-c', WITHOUT_KEY, 'sh', key), { signal, timeout: LIMIT })
  } catch (error) {
    ctx.log.info(
      { server: server.id, why: String(error) },
      'The key of a deleted server stays authorised there.',
    )
  } finally {
    ctx.hosts.forget(last)
  }
}

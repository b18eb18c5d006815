import type { Context } from '../../../context.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { composeOf, findRelease } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { applicationFolderOf } from '../../containers/application-folder.ts'
import { findHostAccess } from '../../containers/host-access.ts'
import { inspect } from '../../containers/inspect.ts'
import { applicationOf } from '../../containers/control.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRoute } from '../../compose/privileges/network-powers.ts'
import { powersBeyond } from '../../compose/privileges/powers-beyond.ts'
import type { ServerRow } from '../../servers/server.ts'
import { listOwnNames } from '../networks/own-names.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

interface Options {
  routes: readonly ServerRoute[]
  signal: AbortSignal
  /** It is gone back to. */
  wasLive: boolean
}

/** Power over the server that what runs does not have already, as sentences. */
export async function newPowers(
  { ctx, application, server }: Of,
  model: Model,
  { routes, signal, wasLive }: Options,
): Promise<string[]> {
  const own = await listOwnNames(ctx, server, { routes, signal })
  for (const name of await listGuarded(
    ctx,
    server,
    namedVolumes(model).filter((one) => own.has(one)),
    signal,
  ))
    own.delete(name)
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const before = live && composeOf(ctx, live)?.model
  return powersBeyond(model, { before, folder: applicationFolderOf(application), own, routes, wasLive })
}

/** Volumes that other applications may have as well. */
const namedVolumes = ({ volumes }: Model) =>
  Object.entries(volumes).flatMap(([key, { name, external }]) => (external || name ? [name ?? key] : []))

/** Those that containers with host access mount: who writes there decides what runs with it. */
async function listGuarded(
  ctx: Context,
  server: ServerRow,
  names: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { docker } = hostOf(ctx, server)
  const found = await Promise.all(
    names.map(async (name) => {
      const query = new URLSearchParams({ all: '1', filters: JSON.stringify({ volume: [name] }) })
      const users = await docker.json<{ Id: string }[]>({
        path: `/containers/json?${query.toString()}`,
        signal,
      })
      for (const { Id } of users) if (await hasHostAccess(ctx, server, Id, signal)) return [name]
      return []
    }),
  )
  return found.flat()
}

async function hasHostAccess(ctx: Context, server: ServerRow, id: string, signal: AbortSignal) {
  const { docker } = hostOf(ctx, server)
  const inspected = await inspect(docker, id, signal)
  if (!inspected) return false
  const application = await applicationOf(ctx, server, inspected)
  const folder = application ? applicationFolderOf(application) : ''
  return (await findHostAccess(docker, inspected, folder)) !== undefined
}

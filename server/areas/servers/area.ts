import type { Area } from '../../area.ts'
import { jobs, schedules } from './set-up/run-setup.ts'
import { closeDeletedConnections, startWatching } from './watch/watching.ts'
import * as contract from '../../../contract/servers.ts'
import { route, type Actor } from '../../route.ts'
import { connectServer, trustHostKey } from './connect-server.ts'
import { getServerRow } from './server.ts'
import { listServers } from './list-servers.ts'
import { getServer } from './present-server.ts'
import * as setups from '../../../contract/setups.ts'
import { getSetupChanges } from './set-up/setup-changes.ts'
import { getSetup, startSetup, streamSetup } from './request-setup.ts'
import { updateServer } from './update-server.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict } from '../../errors.ts'
import { quoteForShell } from '../../remote/command.ts'
import { keyFingerprint } from '../../remote/ssh/key-pair.ts'

async function getServerKey(ctx: Context, actor: Actor, id: Id<'server'>) {
  const { public_key: publicKey, name } = await getServerRow(ctx, actor, id)
  if (publicKey === null)
    throw conflict(
      'no_key',
      `The server ${name} is the machine that Slipway runs on. Slipway uses it without SSH, so it has no key.`,
    )
  return { public_key: publicKey, fingerprint: keyFingerprint(publicKey), command: authorising(publicKey) }
}

function authorising(publicKey: string): string {
  const [key, file] = [quoteForShell([publicKey]), '~/.ssh/authorized_keys']
  const add = `{ grep -qsF ${key} ${file} || printf '\\n%s\\n' ${key} >> ${file}; }`
  return `( umask 077; mkdir -p ~/.ssh && ${add} && chmod 700 ~/.ssh && chmod 600 ${file} )`
}

const routes = [
  route(contract.listServers, (ctx, { caller, query }) => listServers(ctx, caller, query)),
  route(contract.getServer, async (ctx, { caller, params }) => ({
    server: await getServer(ctx, caller, params.id),
  })),
  route(contract.updateServer, async (ctx, { caller, params, body }) => ({
    server: await updateServer(ctx, caller, params.id, body),
  })),
  route(contract.getServerKey, async (ctx, { caller, params }) => ({
    key: await getServerKey(ctx, caller, params.id),
  })),
  route(contract.connectServer, async (ctx, { caller, params }) => ({
    server: await connectServer(ctx, caller, params.id),
  })),
  route(contract.trustHostKey, async (ctx, { caller, params, body }) => ({
    server: await trustHostKey(ctx, caller, params.id, body.fingerprint),
  })),
  route(setups.startSetup, async (ctx, { caller, params }) => ({
    setup: await startSetup(ctx, caller, params.id),
  })),
  route(setups.getSetup, async (ctx, { caller, params }) => ({
    setup: await getSetup(ctx, caller, params.id),
  })),
  route(setups.getSetupChanges, async (ctx, { caller, query }) => ({
    changes: await getSetupChanges(ctx, caller, query),
  })),
  route(setups.streamSetup, (ctx, { caller, params, signal, lastEventId }) =>
    streamSetup(ctx, caller, params.id, { after: lastEventId, signal }),
  ),
]

export const serversArea: Area = {
  name: 'servers',
  routes,
  jobs,
  schedules,
  start: {
    beforeRoles: closeDeletedConnections,
    withWorker(ctx, { watchers, db }) {
      const watching = startWatching(ctx, watchers, db)
      return () => watching.stop()
    },
  },
}

import { access } from 'node:fs/promises'
import { userInfo } from 'node:os'
import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { transaction } from '../../../platform/transaction.ts'
import { addServer } from '../create.ts'
import { installFirst } from '../reasons.ts'
import { createBell } from './bell.ts'
import { findFirstWorkspace, noteLocalServerMade, wasLocalServerMade } from './store.ts'

const LOOK_EVERY = 5_000
/** Files that are in containers only. */
const CONTAINER = ['/.dockerenv', '/run/.containerenv']

/** Gives the machine that Slipway runs on to the first workspace, as soon as there is one. */
export function startThisMachine(ctx: Context, signs = CONTAINER): { stop(): Promise<void> } {
  const bell = createBell()
  const stopping = new AbortController()
  if (ctx.config.LOCAL_SERVER === 'off') stopping.abort()
  const off = ctx.bus.on('events', (payload) => {
    if (payload.includes('workspace.created')) bell.ring()
  })
  const looking = keepLooking().finally(off)

  async function keepLooking() {
    while (!stopping.signal.aborted && !(await isSettled(ctx, signs))) await bell.wait(LOOK_EVERY)
  }

  return {
    async stop() {
      stopping.abort()
      bell.ring()
      await looking
    },
  }
}

/** Whether there is nothing left to do, now or ever. */
async function isSettled(ctx: Context, signs: string[]): Promise<boolean> {
  try {
    if (await wasLocalServerMade(ctx.db)) return true
    if (!(await findFirstWorkspace(ctx.db))) return false
    const answers = await dockerAnswers(ctx)
    if (!answers && !(await mayInstall(signs))) return false
    await makeLocalServer(ctx, answers)
    return true
  } catch (error) {
    ctx.log.warn({ why: String(error) }, 'Could not add the machine that Slipway runs on. Trying again.')
    return false
  }
}

async function dockerAnswers(ctx: Context): Promise<boolean> {
  const id = 'this-machine'
  const { docker } = ctx.hosts.get({ kind: 'local', id, dockerSocket: ctx.config.DOCKER_SOCKET })
  try {
    await docker.json({ method: 'HEAD', path: '/_ping', timeout: 3_000 })
    return true
  } catch {
    return false
  } finally {
    ctx.hosts.forget(id)
  }
}

/** Root of a machine may; root of a container has none. */
async function mayInstall(signs: string[]): Promise<boolean> {
  if (userInfo().uid !== 0) return false
  const found = signs.map((path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  )
  return !(await Promise.all(found)).includes(true)
}

const makeLocalServer = (ctx: Context, answers: boolean): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const workspace = await findFirstWorkspace(trx)
    if (!workspace || !(await noteLocalServerMade(trx))) return
    await addServer(trx, 'slipway', 'server.created', {
      id: newId('server'),
      workspace_id: workspace.id,
      name: 'This machine',
      kind: 'local',
      username: userInfo().username,
      ...(answers ? { status: 'ready' } : { status: 'pending', reason: installFirst }),
    })
  })

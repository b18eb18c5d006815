import { access } from 'node:fs/promises'
import { userInfo } from 'node:os'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Initiator } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Trx } from '../../tables.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { addServer } from './create-server.ts'
import { requestSetup } from './request-setup.ts'

const CONTAINER = ['/.dockerenv', '/run/.containerenv']

/** Returns why this machine cannot be set up as a server. */
export async function findThisMachineProblem(ctx: Context, signs = CONTAINER): Promise<string | undefined> {
  if (ctx.config.LOCAL_SERVER === 'off')
    return 'This machine cannot be used as a server: LOCAL_SERVER=off is set in the environment.'
  if (process.platform !== 'linux')
    return 'Applications need Linux, and this machine runs another operating system. Import or create a Linux server.'
  if ((await dockerAnswers(ctx)) || (await canInstallDocker(signs))) return undefined
  return `Docker is not responding at ${ctx.config.DOCKER_SOCKET}. Start Docker, give Slipway access to that socket, or set DOCKER_SOCKET to another one.`
}

/** Docker alone cannot serve applications, so setup starts immediately. */
export async function addThisMachine(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  workspaceId: Id<'workspace'>,
): Promise<void> {
  await assertPlanLimit(ctx, trx, workspaceId, 'servers')
  const server = await addServer(trx, initiator, 'server.created', {
    id: newId('server'),
    workspace_id: workspaceId,
    name: 'This machine',
    kind: 'local',
    username: userInfo().username,
    status: 'pending',
  })
  await requestSetup(ctx, trx, initiator, server)
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
    ctx.hosts.disconnect(id)
  }
}

/** Root in a container cannot install Docker on the machine. */
async function canInstallDocker(signs: string[]): Promise<boolean> {
  if (userInfo().uid !== 0) return false
  const checks = signs.map((path) =>
    access(path).then(
      () => true,
      () => false,
    ),
  )
  return !(await Promise.all(checks)).includes(true)
}

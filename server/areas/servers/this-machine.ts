import { access } from 'node:fs/promises'
import { userInfo } from 'node:os'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Initiator } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Trx } from '../../tables.ts'
import { assertPlanLimit } from '../workspaces/plan-limits.ts'
import { addServer } from './create.ts'
import { dockerNotInstalled } from './reasons.ts'

const CONTAINER = ['/.dockerenv', '/run/.containerenv']

export interface ThisMachine {
  problem: string | undefined
  hasDocker: boolean
}

export async function checkThisMachine(ctx: Context, signs = CONTAINER): Promise<ThisMachine> {
  if (ctx.config.LOCAL_SERVER === 'off')
    return {
      problem:
        'This machine cannot be used as a server: LOCAL_SERVER=off is set in the environment of this Slipway.',
      hasDocker: false,
    }
  const hasDocker = await dockerAnswers(ctx)
  const problem =
    hasDocker || (await canInstallDocker(signs))
      ? undefined
      : `Docker does not respond at ${ctx.config.DOCKER_SOCKET}. Start Docker, give Slipway access to that socket, or set DOCKER_SOCKET to another one.`
  return { problem, hasDocker }
}

export async function addThisMachine(
  ctx: Context,
  trx: Trx,
  initiator: Initiator,
  workspaceId: Id<'workspace'>,
  { hasDocker }: Pick<ThisMachine, 'hasDocker'>,
): Promise<void> {
  await assertPlanLimit(ctx, trx, workspaceId, 'servers')
  await addServer(trx, initiator, 'server.created', {
    id: newId('server'),
    workspace_id: workspaceId,
    name: 'This machine',
    kind: 'local',
    username: userInfo().username,
    ...(hasDocker ? { status: 'ready' } : { status: 'pending', reason: dockerNotInstalled }),
  })
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

import type { Context } from '../../context.ts'
import { conflict, Problem } from '../../errors.ts'
import { ConnectionLost, DockerError, DockerUnavailable } from '../../remote/errors.ts'
import type { ExitStatus, RemoteShell, TerminalSize } from '../../remote/host.ts'
import { NoShell } from '../../remote/container/container-shell.ts'
import type { Actor } from '../../route.ts'
import {
  findContainerLoss,
  getRunningContainer,
  type RunningContainer,
} from '../containers/running-container.ts'
import { toServerProblem, withServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { OpenedShell } from './open-terminal.ts'
import type { ShellLoss } from './terminal.ts'

export async function openContainerShell(
  ctx: Context,
  actor: Actor,
  server: ServerRow,
  cid: string,
  size: TerminalSize,
): Promise<OpenedShell> {
  const container = await getRunningContainer(ctx, actor, server, cid)
  const shell = await withServerHost(ctx, server, () => open(ctx, server, container, size))
  const ended = waitForEnd(ctx, server, container, shell)
  // The shell may end before anything awaits this promise.
  ended.catch(() => {})
  return {
    shell: { ...shell, ended },
    target: { kind: 'container', id: container.id, name: container.name },
    detail: `on ${server.name}`,
    toLoss: (error) => lossInContainer(ctx, server, container, error),
  }
}

async function open(
  ctx: Context,
  server: ServerRow,
  { id, name }: RunningContainer,
  size: TerminalSize,
): Promise<RemoteShell> {
  try {
    return await ctx.containerShells().open(server, id, size)
  } catch (error) {
    if (error instanceof NoShell)
      throw conflict('no_shell', `The container ${name} has no shell: neither bash nor sh was found in it.`)
    // The container was stopped or removed after it was checked, which the message of Docker explains.
    if (error instanceof DockerError && error.status < 500)
      throw conflict(
        'container_not_running',
        `Docker could not open a shell in the container ${name}: ${error.message.replace(/\.?$/, '.')}`,
      )
    throw error
  }
}

/** Waits for the exit and checks the container, because the exit code does not show that the container was stopped. */
async function waitForEnd(
  ctx: Context,
  server: ServerRow,
  container: RunningContainer,
  shell: RemoteShell,
): Promise<ExitStatus> {
  const ended = await shell.ended
  const reason = ended.code === killed ? await whyGone(ctx, server, container) : undefined
  if (reason !== undefined) throw conflict('container_gone', reason)
  return ended
}

const killed = 137

async function whyGone(ctx: Context, server: ServerRow, container: RunningContainer) {
  const fate = await findContainerLoss(ctx, server, container.id, killed)
  if (fate === 'removed') return removed(container)
  return fate === 'stopped' ? `The container ${container.name} stopped.` : undefined
}

const removed = ({ name }: RunningContainer) => `The container ${name} was removed.`

async function lossInContainer(
  ctx: Context,
  server: ServerRow,
  container: RunningContainer,
  error: unknown,
): Promise<ShellLoss> {
  if (error instanceof Problem) return { reason: error.message, lost: false }
  // Docker forgets the shell when its container is removed or Docker restarts.
  const isForgotten = error instanceof DockerError && error.status === 404
  const fate = isForgotten ? await findContainerLoss(ctx, server, container.id, null) : undefined
  if (fate === 'removed') return { reason: removed(container), lost: false }
  if (isForgotten || error instanceof DockerUnavailable)
    return { reason: `Docker on ${server.name} restarted or stopped.`, lost: true }
  return toShellLoss(server, error)
}

export async function openServerShell(
  ctx: Context,
  server: ServerRow,
  size: TerminalSize,
): Promise<OpenedShell> {
  return {
    shell: await withServerHost(ctx, server, (host) => host.shell(size)),
    target: { kind: 'server', id: server.id, name: server.name },
    toLoss: async (error) => toShellLoss(server, error),
  }
}

function toShellLoss(server: ServerRow, error: unknown): ShellLoss {
  const problem = error instanceof ConnectionLost ? undefined : toServerProblem(server, error)
  const reason = problem instanceof Problem ? problem.message : `The connection to ${server.name} was lost.`
  return { reason: reason, lost: true }
}

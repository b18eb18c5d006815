import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { DockerError } from '../../remote/errors.ts'
import type { RemoteShell, TerminalSize } from '../../remote/host.ts'
import { killMarkedProcesses } from '../../remote/container/kill-marked.ts'
import { openContainerShell } from '../../remote/container/container-shell.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { deleteShell, renewShellLeases, insertShell, type ShellRow } from './shell-leases.ts'

const renewEvery = 20_000

/** The shells in containers that this process has opened. Each is a row, by which another process ends what this one cannot. */
class ContainerShells {
  private readonly ctx: Context
  private readonly ids = new Set<string>()
  private renewing: NodeJS.Timeout | undefined

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  async open(server: ServerRow, container: string, size: TerminalSize): Promise<RemoteShell> {
    const row = {
      id: randomUUID(),
      workspace_id: server.workspace_id,
      server_id: server.id,
      container_id: container,
    }
    await insertShell(this.ctx.db, row)
    this.hold(row.id)
    let closed = false
    const over = () => {
      closed = true
      this.letGo(server, row)
    }
    try {
      const shell = await openContainerShell(hostOf(this.ctx, server), container, row.id, size)
      // One that was lost goes on there: the row stays, for whoever reaches the server next.
      shell.ended.then(
        () => closed || this.forget(row.id),
        () => this.ids.delete(row.id),
      )
      return {
        ...shell,
        close() {
          shell.close()
          over()
        },
      }
    } catch (error) {
      over()
      throw error
    }
  }

  /** Ends all that runs there by its mark. What cannot be ended now is, once its lease has run out. */
  private letGo(server: ServerRow, row: Omit<ShellRow, 'held_until'>) {
    this.ids.delete(row.id)
    endContainerShell(this.ctx, server, row).catch((error: unknown) =>
      this.ctx.log.debug(
        { server: server.id, why: String(error) },
        'Could not end a shell in a container. Retrying later.',
      ),
    )
  }

  private forget(id: string) {
    this.ids.delete(id)
    deleteShell(this.ctx.db, id).catch((error: unknown) =>
      this.ctx.log.debug({ why: String(error) }, 'Could not delete the row of an ended shell.'),
    )
  }

  private hold(id: string) {
    this.ids.add(id)
    this.renewing ??= setInterval(() => void this.renew(), renewEvery).unref()
  }

  private async renew() {
    try {
      if (this.ids.size > 0) await renewShellLeases(this.ctx.db, [...this.ids])
    } catch (error) {
      this.ctx.log.warn(
        { why: String(error) },
        'Could not renew the leases of shells in containers. Retrying.',
      )
    }
  }
}

/** Ends a shell with all that it began, and forgets it. Throws when that could not be done. */
export async function endContainerShell(
  ctx: Context,
  server: ServerRow,
  { id, container_id }: Omit<ShellRow, 'held_until'>,
): Promise<void> {
  const { docker } = hostOf(ctx, server)
  try {
    await killMarkedProcesses(docker, container_id, id)
  } catch (error) {
    // In one that is gone or stopped nothing runs; in one that is paused everything still does.
    const isOver =
      error instanceof DockerError && (error.status === 404 || /is not running/.test(error.message))
    if (!isOver) throw error
  }
  await deleteShell(ctx.db, id)
}

const known = new WeakMap<Context, ContainerShells>()

/** Those of this process. */
export function containerShells(ctx: Context): ContainerShells {
  const found = known.get(ctx) ?? new ContainerShells(ctx)
  known.set(ctx, found)
  return found
}

import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { DockerError } from '../../remote/errors.ts'
import type { RemoteShell, TerminalSize } from '../../remote/host.ts'
import { killMarkedProcesses } from '../../remote/container/container-command.ts'
import { execContainerShell } from '../../remote/container/container-shell.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { deleteShell, renewShellLeases, insertShell, type ShellRow } from './shell-leases.ts'

const renewEvery = 20_000

/**
 * Opens and ends shells in containers. Each shell has a row, so that another process can end the shells that this one
 * cannot.
 */
export class ContainerShells {
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
      this.release(server, row)
    }
    try {
      const shell = await execContainerShell(getServerHost(this.ctx, server), container, row.id, size)
      // The shell continues after a lost connection, so its row stays for the next process that reaches the server.
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

  /** Ends the shell in the background. The cleanup job retries after the lease has expired. */
  private release(server: ServerRow, row: Omit<ShellRow, 'held_until'>) {
    this.ids.delete(row.id)
    endContainerShell(this.ctx, server, row).catch((error: unknown) =>
      this.ctx.log.debug(
        { server: server.id, reason: String(error) },
        'Failed to end a shell in a container; retrying',
      ),
    )
  }

  private forget(id: string) {
    this.ids.delete(id)
    deleteShell(this.ctx.db, id).catch((error: unknown) =>
      this.ctx.log.debug({ reason: String(error) }, 'Failed to delete the row of a shell that ended'),
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
        { reason: String(error) },
        'Failed to renew the leases of shells in containers; retrying',
      )
    }
  }
}

export async function endContainerShell(
  ctx: Context,
  server: ServerRow,
  { id, container_id }: Omit<ShellRow, 'held_until'>,
): Promise<void> {
  const { docker } = getServerHost(ctx, server)
  try {
    await killMarkedProcesses(docker, container_id, id)
  } catch (error) {
    // A container that was stopped or removed has no processes. The processes of a paused container continue later.
    const isOver =
      error instanceof DockerError && (error.status === 404 || /is not running/.test(error.message))
    if (!isOver) throw error
  }
  await deleteShell(ctx.db, id)
}

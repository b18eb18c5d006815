import type { Readable } from 'node:stream'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, logsBusy, notFound, Problem } from '../../errors.ts'
import {
  ConnectionLost,
  DockerError,
  DockerUnavailable,
  HostUnreachable,
  RemoteTimeout,
} from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'
import { getServerHost, toServerProblem } from '../servers/server-host.ts'
import { findServer } from '../servers/server.ts'
import { LogReadError } from './line-reader.ts'
import { toDockerSeconds } from './log-batch.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { exponentialBackoff } from '../../../contract/shared/backoff.ts'

export interface LogSource {
  ctx: Context
  workspace: Id<'workspace'>
  server: Id<'server'>
  container: string
  tty: boolean
  isOver: boolean
}

/** Returns whether a container in this state may print lines without being started. */
export const isRunningStatus = (status: string) => ['running', 'paused', 'restarting'].includes(status)

/** Returns the Docker of the server. Each call resolves it again, because the connection may have changed. */
export async function dockerForLog({ ctx, workspace, server }: LogSource): Promise<Docker> {
  const row = await findServer(ctx, workspace, server)
  if (!row) throw notFound('This server')
  return getServerHost(ctx, row).docker
}

/** Parameters of a log request. Docker applies `tail` before `since`. */
export interface DockerLogQuery {
  since?: string | undefined
  until?: string | undefined
  tail?: number | undefined
  follow?: boolean
  secondsBefore?: number
}

export async function openLog(
  source: LogSource,
  range: DockerLogQuery,
  signal: AbortSignal,
): Promise<Readable> {
  const query = new URLSearchParams({ stdout: '1', stderr: '1', timestamps: '1' })
  if (range.follow) query.set('follow', '1')
  if (range.tail !== undefined) query.set('tail', String(range.tail))
  if (range.since) query.set('since', toDockerSeconds(range.since, range.secondsBefore))
  if (range.until) query.set('until', toDockerSeconds(range.until))
  const docker = await dockerForLog(source)
  return docker.stream({ path: `/containers/${source.container}/logs?${query.toString()}`, signal })
}

export class TooManyReaders extends Error {}

export const isTransientLogError = (error: unknown) =>
  [ConnectionLost, HostUnreachable, RemoteTimeout, DockerUnavailable, TooManyReaders].some(
    (kind) => error instanceof kind,
  )

export async function toLogProblem({ ctx, workspace, server }: LogSource, error: unknown): Promise<unknown> {
  if (error instanceof Problem) return error
  if (error instanceof DockerError && error.status === 404) return notFound('This container')
  if (error instanceof DockerError || error instanceof LogReadError)
    return conflict(
      'log_unreadable',
      `Docker cannot read the log of this container: ${error.message.replace(/\.?$/, '.')}`,
    )
  const row = await findServer(ctx, workspace, server)
  if (!row) return notFound('This server')
  return error instanceof TooManyReaders ? logsBusy(row.name) : toServerProblem(row, error)
}

export async function logEndReason(source: LogSource, error: unknown): Promise<string> {
  const problem = await toLogProblem(source, error)
  if (!(problem instanceof Problem)) throw problem
  return error instanceof DockerError && error.status === 404 ? 'The container was removed.' : problem.message
}

const maxWait = 300_000
const longestPause = 2_000

export class Reconnect {
  private tries = 0
  private awaySince: number | undefined

  /** Records that the server responded, even with an error. */
  answered(): void {
    this.awaySince = undefined
  }

  renew(): void {
    this.answered()
    this.tries = 0
  }

  get isOver(): boolean {
    return this.awaySince !== undefined && Date.now() - this.awaySince > maxWait
  }

  async pause(signal: AbortSignal): Promise<void> {
    this.awaySince ??= Date.now()
    await sleep(exponentialBackoff(this.tries++, 100, longestPause), undefined, { signal })
  }
}

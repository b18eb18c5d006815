import { setTimeout as sleep } from 'node:timers/promises'
import {
  DockerUnavailable,
  DockerError,
  ConnectionLost,
  RemoteTimeout,
  HostUnreachable,
} from '../../../remote/errors.ts'
import { ProxyUnreachable } from '../../../remote/proxy/socket.ts'
import { findServer } from '../../servers/server.ts'
import { toServerProblem } from '../../servers/reach.ts'
import { type DeploymentRun, DeploymentFailed } from './deployment-run.ts'

const maxDelay = 1_000

/** Docker reports these errors while it shuts down. */
export const isTransientDockerError = (error: unknown) =>
  error instanceof DockerError && /context canceled|shutting down/i.test(error.message)

export const isUnreachable = (error: unknown) =>
  [ConnectionLost, HostUnreachable, RemoteTimeout, DockerUnavailable, ProxyUnreachable].some(
    (kind) => error instanceof kind,
  ) || isTransientDockerError(error)

/**
 * Retries `work` while the server, Docker or the proxy is unreachable, for at most `most` milliseconds.
 * `work` must be idempotent.
 */
export async function retryWhileUnreachable(
  attempt: DeploymentRun,
  work: () => Promise<void>,
  most = attempt.unreachableLimit,
): Promise<void> {
  const { ctx, deployment, log, signal } = attempt
  let since: number | undefined
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isUnreachable(error)) throw error
      const said = toServerProblem(attempt.server, error)
      const why = said instanceof Error ? said.message : String(said)
      since ??= Date.now()
      attempt.wasInterrupted = true
      if (Date.now() - since >= most) throw new DeploymentFailed(why)
      if (failures === 0) log.write(`${why} Retrying…`)
      await sleep(Math.min(100 * 2 ** failures, maxDelay), undefined, { signal })
      // The address of the server may have changed.
      attempt.server =
        (await findServer(ctx, deployment.workspace_id, deployment.server_id)) ?? attempt.server
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { DockerAway, DockerError, Lost, TimedOut, Unreachable } from '../../../remote/errors.ts'
import { ProxyAway } from '../../../remote/proxy/talk.ts'
import { findServer } from '../../servers/server.ts'
import { sayWhy } from '../../servers/reach.ts'
import { type Attempt, Failed } from './attempt.ts'

const longestPause = 1_000

/** Said by a Docker that is being stopped. */
export const isPassing = (error: unknown) =>
  error instanceof DockerError && /context canceled|shutting down/i.test(error.message)

/** The server, its Docker or its proxy is away and may come back. */
export const isAway = (error: unknown) =>
  [Lost, Unreachable, TimedOut, DockerAway, ProxyAway].some((kind) => error instanceof kind) ||
  isPassing(error)

/** Does it, and does it again for as long as the server is away, but not for ever. It must be safe to do again. */
export async function holdOut(
  attempt: Attempt,
  work: () => Promise<void>,
  most = attempt.patience,
): Promise<void> {
  const { ctx, deployment, log, signal } = attempt
  let since: number | undefined
  for (let failures = 0; ; failures++) {
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      if (!isAway(error)) throw error
      const said = sayWhy(attempt.server, error)
      const why = said instanceof Error ? said.message : String(said)
      since ??= Date.now()
      attempt.wasInterrupted = true
      if (Date.now() - since >= most) throw new Failed(why)
      if (failures === 0) log.say(`${why} Retrying…`)
      await sleep(Math.min(100 * 2 ** failures, longestPause), undefined, { signal })
      // Its address may have been changed meanwhile.
      attempt.server =
        (await findServer(ctx, deployment.workspace_id, deployment.server_id)) ?? attempt.server
    }
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { type Attempt, Failed } from '../run/attempt.ts'

/** Milliseconds between two looks at whether it is through. */
const pause = 500

/** A server that was ready and is just being set up again will soon be so once more; that is waited for. */
export async function untilSetUp(attempt: Attempt): Promise<void> {
  const { ctx, deployment, log, signal, patience } = attempt
  const until = Date.now() + patience
  let told = false
  while (isSetUpAgain(attempt.server)) {
    const { name } = attempt.server
    if (Date.now() > until)
      throw new Failed(`Setup of ${name} is still in progress. Deploy again once the server is ready.`)
    if (!told) log.say(`Setup of ${name} is in progress. Waiting…`)
    told = true
    await sleep(pause, undefined, { signal })
    attempt.server = (await findServer(ctx, deployment.workspace_id, deployment.server_id)) ?? attempt.server
  }
  const { status, name } = attempt.server
  if (status !== 'ready' && status !== 'unreachable')
    throw new Failed(`The server ${name} is not set up yet. Set it up, then deploy again.`)
}

/** Where the proxy listens is known since the first set-up that was completed. */
const isSetUpAgain = ({ status, http_port_used }: ServerRow) =>
  status === 'setting_up' && http_port_used !== null

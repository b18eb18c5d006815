import { setTimeout as sleep } from 'node:timers/promises'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'

const pollDelay = 500

/** Waits while a server that was ready before is being set up again. */
export async function waitForSetup(attempt: DeploymentRun): Promise<void> {
  const { ctx, deployment, log, signal, unreachableLimit } = attempt
  const until = Date.now() + unreachableLimit
  let told = false
  while (isSetupRunning(attempt.server)) {
    const { name } = attempt.server
    if (Date.now() > until)
      throw new DeploymentFailed(
        `Setup of ${name} is still in progress. Deploy again once the server is ready.`,
      )
    if (!told) log.write(`Setup of ${name} is in progress. Waiting…`)
    told = true
    await sleep(pollDelay, undefined, { signal })
    attempt.server = (await findServer(ctx, deployment.workspace_id, deployment.server_id)) ?? attempt.server
  }
  const { status, name } = attempt.server
  if (status !== 'ready' && status !== 'unreachable')
    throw new DeploymentFailed(`The server ${name} is not set up yet. Set it up, then deploy again.`)
}

/** `http_port_used` is set by the first completed setup. */
const isSetupRunning = ({ status, http_port_used }: ServerRow) =>
  status === 'setting_up' && http_port_used !== null

import { howToApprove } from '../../applications/host-access.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { checkComposeOnServer } from './check-on-server.ts'
import { composeEnvironment, loadModel } from './read-compose.ts'

/** Checks a compose file against the server, and its host access against the approval. */
export async function checkCompose(attempt: DeploymentRun): Promise<void> {
  const { release, deployment, signal, log } = attempt
  const model = await loadModel(attempt)
  if (!model) return
  const { refused, hostAccess, warnings } = await checkComposeOnServer(attempt, model, {
    env: composeEnvironment(attempt),
    release,
    signal,
  })
  const [first, ...more] = refused
  if (first !== undefined) throw new DeploymentFailed(first, more)
  const why = composeHostAccessRefusal({
    hostAccess,
    allowHostAccess: deployment.may_empower,
    isBack: release !== undefined,
  })
  if (why !== undefined) throw new DeploymentFailed(why, hostAccess)
  for (const one of warnings) log.write(`Warning: ${one}`)
}

/** Also shown to admins who deployed without reviewing a plan. */
const hostAccessUnapproved = `This deployment needs host access that was not approved by an admin. ${howToApprove} Or remove it from the compose file.`

export const composeHostAccessRefusal = ({
  hostAccess,
  allowHostAccess,
  isBack,
}: {
  hostAccess: readonly string[]
  allowHostAccess: boolean
  isBack: boolean
}): string | undefined =>
  hostAccess.length === 0 || allowHostAccess
    ? undefined
    : isBack
      ? 'This release needs host access that the live release does not have. Ask an admin to roll back to it.'
      : hostAccessUnapproved

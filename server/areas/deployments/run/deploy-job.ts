import type { Context } from '../../../context.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { Trx } from '../../../tables.ts'
import type { Deployment } from './deployment.ts'
import type { DeploymentRow } from './store.ts'

/** Attempts after internal errors of Slipway. */
export const deployAttempts = 6

type Secrets = Pick<Context, 'secrets'>
type DeploymentRef = Pick<Deployment, 'workspace_id' | 'application_id' | 'server_id' | 'id' | 'type'>

/** The key allows one job per application at a time. */
const deployJob = ({ workspace_id, application_id, id }: DeploymentRef) => ({
  kind: 'deploy',
  payload: { workspace_id, deployment_id: id },
  key: `application:${application_id}`,
  attempts: deployAttempts,
})

export const enqueueDeploy = ({ secrets }: Secrets, trx: Trx, of: DeploymentRef) =>
  enqueue(secrets, trx, {
    ...deployJob(of),
    group: { name: `${laneFor(of.type)}:${of.server_id}`, limit: deploymentsPerServer },
    lane: laneFor(of.type),
  })

/** Enqueues the steps after the traffic switch, in a lane of their own. */
export const enqueueDrain = ({ secrets }: Secrets, trx: Trx, of: DeploymentRef) =>
  enqueue(secrets, trx, { ...deployJob(of), lane: 'drain' })

/** Concurrent deployments per server, and as many builds: builds wait long for each other. */
const deploymentsPerServer = 4

/** Builds have their own lane, so that restarts and rollbacks never wait behind one. */
const laneFor = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

type QueuedDeployment = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

export function waitingFor({ status, ahead, busy, server_name, type }: QueuedDeployment): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= deploymentsPerServer
    ? `Waiting for a free slot: ${server_name} runs ${deploymentsPerServer} ${laneFor(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}

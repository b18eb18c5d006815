import type { DeploymentRow } from './store.ts'

/** Concurrent deployments per server, and as many builds: builds wait long for each other. */
export const deploymentsPerServer = 4

/** Builds have their own lane, so that restarts and rollbacks never wait behind one. */
export const laneFor = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

type QueuedDeployment = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

export function waitingFor({ status, ahead, busy, server_name, type }: QueuedDeployment): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= deploymentsPerServer
    ? `Waiting for a free slot: ${server_name} runs ${deploymentsPerServer} ${laneFor(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}

import type { DeploymentRow } from './store.ts'

/** How many are deployed at a time on a server; and as many more are built, which wait for each other there for long. */
export const placesOnServer = 4

/** Nothing that only stops, starts or goes back waits behind a build. */
export const laneOf = (type: string) => (type === 'build_application' ? 'build' : 'deploy')

type Waiting = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name' | 'type'>

/** What one that is queued waits for, as a sentence. */
export function waitingFor({ status, ahead, busy, server_name, type }: Waiting): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waiting for “${ahead.message ?? 'the previous deployment'}”, started by ${ahead.actor_name}.`
  return (busy ?? 0) >= placesOnServer
    ? `Waiting for a free slot: ${server_name} runs ${placesOnServer} ${laneOf(type) === 'build' ? 'builds' : 'deployments'} at a time.`
    : 'Starting…'
}

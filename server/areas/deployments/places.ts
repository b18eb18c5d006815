import type { DeploymentRow } from './store.ts'

/** How many are deployed at a time on a server. */
export const placesOnServer = 4

export const deployGroup = (server: string) => `deploy:${server}`

type Waiting = Pick<DeploymentRow, 'status' | 'ahead' | 'busy' | 'server_name'>

/** What one that is queued waits for, as a sentence. */
export function waitsOf({ status, ahead, busy, server_name }: Waiting): string | null {
  if (status !== 'queued') return null
  if (ahead)
    return `Waits until “${ahead.message ?? 'the deployment before it'}” has ended, which ${ahead.actor_name} started.`
  return (busy ?? 0) >= placesOnServer
    ? `Waits for a free place on ${server_name}, where ${placesOnServer} are deployed at a time.`
    : 'Begins in a moment.'
}

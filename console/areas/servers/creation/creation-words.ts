import type { Server } from '../queries.ts'
import type { Step } from '../setup/step-words.ts'

export type Cloud = NonNullable<Server['cloud']>

/** A server with what it is at a cloud. */
export type CloudServer = Server & { cloud: Cloud }

/** What a person sees of the making of a server. That the key comes first is of interest to nobody. */
const steps = [
  { name: 'order', label: 'Create', at: ['key', 'create'] },
  { name: 'boot', label: 'Boot', at: ['boot'] },
  { name: 'call', label: 'Connect to Slipway', at: ['call'] },
] satisfies { name: string; label: string; at: Cloud['step'][] }[]

/** How far the making of a server is; all of it is done once it has called. */
export function creationSteps({ status, cloud: { step } }: Pick<CloudServer, 'status' | 'cloud'>): Step[] {
  const now = step === null ? steps.length : steps.findIndex(({ at }) => at.some((one) => one === step))
  const here = status === 'failed' ? 'failed' : 'now'
  return steps.map(({ name, label }, index) => ({
    name,
    label,
    state: index < now ? 'done' : index === now ? here : 'waiting',
  }))
}

/** What it waits for. */
export function waitsFor({ step, provider_name: provider }: Cloud): string {
  if (step === 'call') return 'The server is running and will connect to Slipway in a minute or two.'
  if (step === 'boot') return `${provider} created the server. It boots in about a minute.`
  if (step === 'key') return `Requesting the server from ${provider}. It may be queued behind others.`
  return `${provider} is creating the server. This takes a few seconds.`
}

export const isOfCloud = (server: Server): server is CloudServer => server.cloud !== null

/** Its making failed, and it was never there to be set up. */
export const isUnmade = (server: Server): server is CloudServer =>
  server.status === 'failed' && isOfCloud(server) && server.cloud.step !== null

/** Half made: it runs, but has not called, so that somebody may have to let Slipway in. */
export const isSilent = (server: Server): server is CloudServer =>
  isUnmade(server) && server.cloud.step === 'call' && !server.offered_host_key

/** What it was made by is worth a look until it was set up for the first time. */
export const wasJustMade = (server: Server): server is CloudServer =>
  server.status === 'setting_up' &&
  isOfCloud(server) &&
  server.cloud.origin === 'created' &&
  server.docker_version === null

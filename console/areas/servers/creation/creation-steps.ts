import type { Server } from '../queries.ts'
import type { Step } from '../setup/setup-steps.ts'

export type Cloud = NonNullable<Server['cloud']>

export type CloudServer = Server & { cloud: Cloud }

/** Steps shown to users. Uploading the SSH key to the provider is part of the first. */
const steps = [
  { name: 'order', label: 'Create', at: ['key', 'create'] },
  { name: 'boot', label: 'Boot', at: ['boot'] },
  { name: 'call', label: 'Connect to Slipway', at: ['call'] },
] satisfies { name: string; label: string; at: Cloud['step'][] }[]

export function creationSteps({ status, cloud: { step } }: Pick<CloudServer, 'status' | 'cloud'>): Step[] {
  const now = step === null ? steps.length : steps.findIndex(({ at }) => at.some((value) => value === step))
  const here = status === 'failed' ? 'failed' : 'now'
  return steps.map(({ name, label }, index) => ({
    name,
    label,
    state: index < now ? 'done' : index === now ? here : 'waiting',
  }))
}

export function creationProgressText({ step, provider_name: provider }: Cloud): string {
  if (step === 'call') return 'The server is running and connects to Slipway within two minutes.'
  if (step === 'boot') return `${provider} created the server. It boots in about a minute.`
  if (step === 'key')
    return `Requesting the server from ${provider}. Other requests may be ahead in the queue.`
  return `${provider} is creating the server. This takes a few seconds.`
}

export const isCloudServer = (server: Server): server is CloudServer => server.cloud !== null

export const hasFailedCreation = (server: Server): server is CloudServer =>
  server.status === 'failed' && isCloudServer(server) && server.cloud.step !== null

export const isWaitingForConnection = (server: Server): server is CloudServer =>
  hasFailedCreation(server) && server.cloud.step === 'call' && !server.offered_host_key

export const isNewlyCreated = (server: Server): server is CloudServer =>
  server.status === 'setting_up' &&
  isCloudServer(server) &&
  server.cloud.origin === 'created' &&
  server.docker_version === null

import { formatMonthlyCost } from './cloud-status.ts'
import type { Cloud } from './creation/creation-steps.ts'
import type { Server } from './queries.ts'

export type CloudDeleteMode = 'destroy' | 'keep'

interface Choice {
  fate: CloudDeleteMode
  label: string
  help: string
  open: boolean
}

/** Returns the choices for deleting a server, the usual one first, or none without a cloud provider. */
export function deleteOptions({ status, cloud }: Pick<Server, 'status' | 'cloud'>): Choice[] {
  if (!cloud || (cloud.status === 'deleted' && !hasOthers(cloud))) return []
  const choices = [destroyChoice(cloud), keepChoice(cloud, status)]
  // Users are more likely to keep imported servers, which Slipway did not create.
  return cloud.origin === 'created' ? choices : choices.toReversed()
}

const hasOthers = ({ drift }: Cloud) => drift.some(({ kind }) => kind === 'duplicated')

function destroyChoice(cloud: Cloud): Choice {
  const { provider_name: place, cloud_token_id: token } = cloud
  const label = `Destroy the ${cloud.status === 'deleted' ? 'remaining servers' : 'server'} at ${place}`
  const choice = { fate: 'destroy', label } as const
  if (token === null)
    return {
      ...choice,
      open: false,
      help: `Slipway has no cloud token for this ${place} account. Add one to destroy the server.`,
    }
  return { ...choice, open: true, help: lossAt(cloud) }
}

function lossAt(cloud: Cloud): string {
  if (cloud.id === null)
    return `Deletes everything that was created for this server at ${cloud.provider_name}.`
  if (cloud.status === 'deleted')
    return 'Permanently deletes all servers with the same tag and their disks. They are no longer billed.'
  if (hasOthers(cloud))
    return 'Permanently deletes the server, all servers with the same tag and their disks. They are no longer billed.'
  return 'Permanently deletes the server and its disk. The server is no longer billed.'
}

function keepChoice(cloud: Cloud, status: Server['status']): Choice {
  const { provider_name: place, step, id } = cloud
  const choice = { fate: 'keep', label: 'Forget the server in Slipway only' } as const
  if (status === 'provisioning' && (step === 'key' || step === 'create'))
    return {
      ...choice,
      open: false,
      help: `Unavailable while ${place} is creating the server.`,
    }
  if (cloud.status === 'deleted')
    return { ...choice, open: true, help: `Servers with the same tag stay at ${place} and are still billed.` }
  const cost = formatMonthlyCost(cloud)
  const much = cost === undefined ? 'is billed' : `costs ${cost}`
  const help =
    id === null
      ? `Everything that was created for this server at ${place} is kept and ${much}.`
      : `The server keeps running at ${place} and ${much} until you delete it there.`
  return { ...choice, open: true, help }
}

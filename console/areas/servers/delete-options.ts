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

/** Returns the choices for deleting a server, the usual one first; none without a cloud provider. */
export function deleteOptions({ status, cloud }: Pick<Server, 'status' | 'cloud'>): Choice[] {
  if (!cloud || (cloud.status === 'deleted' && !hasOthers(cloud))) return []
  const choices = [destroyChoice(cloud), keepChoice(cloud, status)]
  // Imported servers are more likely to be kept.
  return cloud.origin === 'created' ? choices : choices.toReversed()
}

const hasOthers = ({ drift }: Cloud) => drift.some(({ kind }) => kind === 'duplicated')

function destroyChoice(cloud: Cloud): Choice {
  const { provider_name: place, cloud_token_id: token } = cloud
  const label = `Destroy ${cloud.status === 'deleted' ? 'what is left' : 'the server'} at ${place}`
  const choice = { fate: 'destroy', label } as const
  if (token === null)
    return { ...choice, open: false, help: `Slipway has no token for this ${place} account.` }
  return { ...choice, open: true, help: lossAt(cloud) }
}

function lossAt(cloud: Cloud): string {
  if (cloud.id === null) return `Deletes anything that was created at ${cloud.provider_name}.`
  if (cloud.status === 'deleted')
    return 'All servers with its tag and the data on their disks are deleted permanently. They are no longer billed.'
  if (hasOthers(cloud))
    return 'The server, all others with its tag, and the data on their disks are deleted permanently. They are no longer billed.'
  return 'The server and the data on its disk are deleted permanently. It is no longer billed.'
}

function keepChoice(cloud: Cloud, status: Server['status']): Choice {
  const { provider_name: place, step, id } = cloud
  const choice = { fate: 'keep', label: 'Forget it in Slipway only' } as const
  if (status === 'provisioning' && (step === 'key' || step === 'create'))
    return {
      ...choice,
      open: false,
      help: `The server is being created and would be left at ${place} unmanaged.`,
    }
  if (cloud.status === 'deleted')
    return { ...choice, open: true, help: `Servers with its tag stay at ${place} and are billed.` }
  const cost = formatMonthlyCost(cloud)
  const much = cost === undefined ? 'is billed' : `costs ${cost}`
  const help =
    id === null
      ? `Anything that was created at ${place} stays there and ${much}.`
      : `The server keeps running at ${place} and ${much} until you delete it there.`
  return { ...choice, open: true, help }
}

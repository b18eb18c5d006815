import { costOf } from './cloud-words.ts'
import type { Cloud } from './creation/creation-words.ts'
import type { Server } from './queries.ts'

/** What becomes of a server at its cloud. */
export type Fate = 'destroy' | 'keep'

interface Choice {
  fate: Fate
  label: string
  help: string
  /** Whether it can be chosen at all; the help says why not. */
  open: boolean
}

/** Both ways to be rid of a server, the one that is meant most often first; one way where there is no cloud to ask. */
export function deleteChoices({ status, cloud }: Pick<Server, 'status' | 'cloud'>): Choice[] {
  if (!cloud || (cloud.status === 'deleted' && !hasOthers(cloud))) return []
  const choices = [destroyChoice(cloud), keepChoice(cloud, status)]
  // What was there before Slipway knew it is more likely to be needed after that.
  return cloud.origin === 'created' ? choices : choices.toReversed()
}

/** Others there carry its mark, as after an order that was made twice. They go with it. */
const hasOthers = ({ drift }: Cloud) => drift.some(({ kind }) => kind === 'duplicated')

function destroyChoice(cloud: Cloud): Choice {
  const { provider_name: place, cloud_token_id: token } = cloud
  const label = `Destroy ${cloud.status === 'deleted' ? 'what is left of it' : 'it'} at ${place}`
  const choice = { fate: 'destroy', label } as const
  if (token === null)
    return { ...choice, open: false, help: `Slipway has no token of that ${place} account any more.` }
  return { ...choice, open: true, help: lossAt(cloud) }
}

function lossAt(cloud: Cloud): string {
  if (cloud.id === null)
    return `Slipway looks for anything of it at ${cloud.provider_name}, and deletes that.`
  if (cloud.status === 'deleted')
    return 'All that carry its mark there go, and everything on their disks is lost for good. They cost nothing from then on.'
  if (hasOthers(cloud))
    return 'The machine, all others there that carry its mark, and everything on their disks are lost for good. They cost nothing from then on.'
  return 'The machine and everything on its disk are lost for good. It costs nothing from then on.'
}

function keepChoice(cloud: Cloud, status: Server['status']): Choice {
  const { provider_name: place, step, id } = cloud
  const choice = { fate: 'keep', label: 'Only forget it here' } as const
  if (status === 'provisioning' && (step === 'key' || step === 'create'))
    return { ...choice, open: false, help: `It is being made, and would be left at ${place} unseen.` }
  if (cloud.status === 'deleted')
    return { ...choice, open: true, help: `What carries its mark at ${place} stays there and costs.` }
  const cost = costOf(cloud)
  const much = cost === undefined ? 'costs' : `costs ${cost}`
  const help =
    id === null
      ? `Should there be anything of it at ${place}, it stays there and ${much}.`
      : `It goes on running at ${place} and ${much}, until you delete it there.`
  return { ...choice, open: true, help }
}

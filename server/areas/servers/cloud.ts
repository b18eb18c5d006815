import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import { inAList } from '../../platform/text/in-a-list.ts'
import { findProvider } from '../providers/providers.ts'
import type { CloudRow, ServerRow } from './store.ts'

type Shown = NonNullable<z.input<typeof server>['cloud']>
type Drift = Shown['drift'][number]

/** What a server is at a cloud, with what is not as Slipway knew it. */
export function presentCloud(row: ServerRow, cloud: CloudRow | undefined): Shown | null {
  if (!cloud) return null
  return {
    provider: cloud.provider,
    provider_name: providerName(cloud),
    cloud_token_id: cloud.cloud_token_id,
    id: cloud.cloud_id,
    url: (cloud.cloud_id !== null && findProvider(cloud.provider)?.urlOf(cloud.cloud_id)) || null,
    origin: cloud.origin,
    step: cloud.step,
    image: cloud.image_name ?? cloud.image,
    image_id: cloud.image,
    price: priceOf(cloud),
    status: cloud.status,
    seen_at: cloud.seen_at?.toISOString() ?? null,
    address: cloud.address,
    drift: isInHand(row, cloud) ? [] : driftOf(row, cloud),
  }
}

/** What it was called, should Slipway know that cloud no more. */
export const providerName = ({ provider }: Pick<CloudRow, 'provider'>): string =>
  findProvider(provider)?.name ?? provider

type Priced = Pick<CloudRow, 'price_monthly' | 'currency'>

const priceOf = ({ price_monthly: monthly, currency }: Priced) =>
  monthly === null || currency === null ? null : { monthly, currency }

/** "€4.51 a month", as it stands in sentences. */
export function costOf(cloud: Priced): string | undefined {
  const price = priceOf(cloud)
  if (!price) return undefined
  const { monthly, currency } = price
  return `${new Intl.NumberFormat('en', { style: 'currency', currency }).format(monthly)} a month`
}

/** While it is made or destroyed its reason says how that goes; and of one that was never made there is nothing to see. */
const isInHand = ({ status }: ServerRow, { cloud_id }: CloudRow) =>
  status === 'provisioning' || status === 'deleting' || cloud_id === null

function driftOf(row: ServerRow, cloud: CloudRow): Drift[] {
  const all =
    cloud.status === 'deleted'
      ? [deletedOf(cloud), duplicatedOf(cloud)]
      : [
          unseenOf(cloud),
          stoppedOf(row, cloud),
          movedOf(row, cloud),
          resizedOf(row, cloud),
          duplicatedOf(cloud),
        ]
  return all.filter((one) => one !== undefined)
}

const deletedOf = (cloud: CloudRow): Drift => ({
  kind: 'deleted',
  text: `It was deleted at ${providerName(cloud)}. Delete it here as well.`,
})

function unseenOf(cloud: CloudRow): Drift | undefined {
  const unknown = `What becomes of it at ${providerName(cloud)} is not known`
  if (cloud.cloud_token_id === null)
    return {
      kind: 'unseen',
      text: `${unknown}: the token that it was seen through was deleted. Save one of that account in the settings, and Slipway finds it again.`,
    }
  if (cloud.token_error === null) return undefined
  return { kind: 'unseen', text: `${unknown}: ${cloud.token_error}` }
}

/** One that answers runs, whatever was seen last. */
function stoppedOf({ status }: ServerRow, cloud: CloudRow): Drift | undefined {
  if (cloud.status !== 'stopped' || status === 'ready') return undefined
  const name = providerName(cloud)
  return {
    kind: 'stopped',
    text: `It is switched off at ${name}, where it costs all the same. Start it there.`,
  }
}

function movedOf(row: ServerRow, cloud: CloudRow): Drift | undefined {
  const { moved_from: before, address } = cloud
  if (before === null || before !== row.address || before === address) return undefined
  const name = providerName(cloud)
  return {
    kind: 'moved',
    text:
      address === null
        ? `At ${name} it has no public address any more; it had ${before}. Give it one there.`
        : `At ${name} it has the address ${address} now, no longer ${before}. Change its address to that.`,
  }
}

function resizedOf({ type }: ServerRow, cloud: CloudRow): Drift | undefined {
  if (!cloud.resized_lately || cloud.resized_from === null || cloud.resized_from === type) return undefined
  const cost = costOf(cloud)
  const costs = cost === undefined ? '' : ` and costs ${cost} now`
  return {
    kind: 'resized',
    text: `At ${providerName(cloud)} it was changed from ${cloud.resized_from} to ${type}${costs}. There is nothing to do about it here.`,
  }
}

function duplicatedOf(cloud: CloudRow): Drift | undefined {
  const { duplicates } = cloud
  if (duplicates.length === 0) return undefined
  const name = providerName(cloud)
  const text =
    duplicates.length === 1
      ? `Another server at ${name} carries the mark of this one: ${duplicates[0]}. It costs as well, and goes with this one when that is destroyed. If it is needed, take the mark away from it there; else delete it.`
      : `Others at ${name} carry the mark of this one: ${inAList(duplicates)}. They cost as well, and go with this one when that is destroyed. Where one is needed, take the mark away from it there; delete the rest.`
  return { kind: 'duplicated', text }
}

import { formatPrice } from '../../../contract/shared/money.ts'
import type { z } from 'zod'
import type { server } from '../../../contract/servers.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import { findProvider } from '../providers/providers.ts'
import type { ServerRow } from './server.ts'
import type { CloudRow } from './present-server.ts'

type ApiCloud = NonNullable<z.input<typeof server>['cloud']>
type Drift = ApiCloud['drift'][number]

export function presentCloud(row: ServerRow, cloud: CloudRow | undefined): ApiCloud | null {
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
    price: toPrice(cloud),
    status: cloud.status,
    seen_at: cloud.seen_at?.toISOString() ?? null,
    address: cloud.address,
    drift: isBeingCreatedOrDestroyed(row, cloud) ? [] : findDrift(row, cloud),
  }
}

export const providerName = ({ provider }: Pick<CloudRow, 'provider'>): string =>
  findProvider(provider)?.name ?? provider

type Priced = Pick<CloudRow, 'price_monthly' | 'currency'>

const toPrice = ({ price_monthly: monthly, currency }: Priced) =>
  monthly === null || currency === null ? null : { monthly, currency }

export function formatMonthlyCost(cloud: Priced): string | undefined {
  const price = toPrice(cloud)
  if (!price) return undefined
  return `${formatPrice(price)} a month`
}

/** During creation and destruction, `reason` reports the progress. */
const isBeingCreatedOrDestroyed = ({ status }: ServerRow, { cloud_id }: CloudRow) =>
  status === 'provisioning' || status === 'deleting' || cloud_id === null

function findDrift(row: ServerRow, cloud: CloudRow): Drift[] {
  const all =
    cloud.status === 'deleted'
      ? [describeDeleted(cloud), findDuplicated(cloud)]
      : [
          findUnseen(cloud),
          findStopped(row, cloud),
          findMoved(row, cloud),
          findResized(row, cloud),
          findDuplicated(cloud),
        ]
  return all.filter((drift) => drift !== undefined)
}

const describeDeleted = (cloud: CloudRow): Drift => ({
  kind: 'deleted',
  text: `The server was deleted at ${providerName(cloud)}. Delete it here as well.`,
})

function findUnseen(cloud: CloudRow): Drift | undefined {
  const unknown = `The status at ${providerName(cloud)} is unknown`
  if (cloud.cloud_token_id === null)
    return {
      kind: 'unseen',
      text: `${unknown}: its cloud token was deleted. Add a token for that account under Settings → Cloud tokens to see the status again.`,
    }
  if (cloud.token_error === null) return undefined
  return { kind: 'unseen', text: `${unknown}. ${cloud.token_error}` }
}

/** A reachable server is running, whatever the provider last reported. */
function findStopped({ status }: ServerRow, cloud: CloudRow): Drift | undefined {
  if (cloud.status !== 'stopped' || status === 'ready') return undefined
  const name = providerName(cloud)
  return {
    kind: 'stopped',
    text: `The server is powered off at ${name} and is still billed. Start it there.`,
  }
}

function findMoved(row: ServerRow, cloud: CloudRow): Drift | undefined {
  const { moved_from: before, address } = cloud
  if (before === null || before !== row.address || before === address) return undefined
  const name = providerName(cloud)
  return {
    kind: 'moved',
    text:
      address === null
        ? `The server no longer has a public address at ${name} (previously ${before}). Assign one there.`
        : `The address at ${name} changed from ${before} to ${address}. Update the address here.`,
  }
}

function findResized({ type }: ServerRow, cloud: CloudRow): Drift | undefined {
  if (!cloud.resized_lately || cloud.resized_from === null || cloud.resized_from === type) return undefined
  const cost = formatMonthlyCost(cloud)
  const costs = cost === undefined ? '' : ` and now costs ${cost}`
  return {
    kind: 'resized',
    text: `The server was resized at ${providerName(cloud)} from ${cloud.resized_from} to ${type}${costs}. No action is needed.`,
  }
}

function findDuplicated(cloud: CloudRow): Drift | undefined {
  const { duplicates } = cloud
  if (duplicates.length === 0) return undefined
  const name = providerName(cloud)
  const text =
    duplicates.length === 1
      ? `Server ${duplicates[0]} at ${name} has the same tag. It is billed as well and will be destroyed with this server. To keep it, remove its tag at ${name}; otherwise delete it.`
      : `Other servers at ${name} have the same tag: ${formatList(duplicates)}. They are billed as well and will be destroyed with this server. To keep a server, remove its tag at ${name}; otherwise delete it.`
  return { kind: 'duplicated', text }
}

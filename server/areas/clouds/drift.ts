import type { CloudServer } from '../providers/provider.ts'
import { providerName } from '../servers/present-cloud.ts'
import type { ServerRow } from '../servers/server.ts'
import type { CloudServerChanges, CloudServerRow } from './store.ts'

type SavedServer = Pick<ServerRow, 'address' | 'type' | 'region'>

export interface DriftResult {
  cloud: CloudServerChanges
  server: Partial<SavedServer>
  sentences: string[]
}

export function compareWithProvider(
  server: SavedServer,
  cloud: CloudServerRow,
  { found, duplicates, at }: { found: CloudServer | undefined; duplicates: string[]; at: Date },
): DriftResult {
  const others = { duplicates, seen_at: at }
  const more = describeDuplicates(cloud, duplicates)
  if (!found || found.status === 'deleted')
    return {
      cloud: { ...others, status: 'deleted' },
      server: {},
      sentences: [
        ...(cloud.status === 'deleted' ? [] : [`The server was deleted at ${providerName(cloud)}.`]),
        ...more,
      ],
    }
  const resized = resizedTo(server, cloud, found)
  const moved = movedTo(server, cloud, found)
  return {
    cloud: {
      ...others,
      ...(found.price && { price_monthly: found.price.monthly, currency: found.price.currency }),
      ...(resized && { resized_from: server.type, resized_at: at }),
      cloud_id: found.id,
      asked_at: null,
      status: found.status,
      address: found.address,
      moved_from: moved.from,
    },
    server: {
      address: server.address ?? found.address,
      type: found.type ?? server.type,
      region: found.region ?? server.region,
    },
    sentences: [describeStatusDrift(cloud, found), resized, moved.sentence, ...more].filter(
      (text) => text !== undefined,
    ),
  }
}

/** Ignores states that pass by themselves, such as starting. */
function describeStatusDrift(cloud: CloudServerRow, { id, status }: CloudServer): string | undefined {
  const name = providerName(cloud)
  if (cloud.cloud_id === null) return `The server exists at ${name} as ${id} and is billed there.`
  if (cloud.status === 'deleted') return `The server exists at ${name} again.`
  if (status === 'stopped' && cloud.status !== 'stopped') return `The server was powered off at ${name}.`
  if (status === 'running' && cloud.status === 'stopped') return `The server was powered on at ${name}.`
  return undefined
}

function resizedTo({ type }: SavedServer, cloud: CloudServerRow, found: CloudServer): string | undefined {
  if (type === null || found.type === null || found.type === type) return undefined
  return `The server was resized at ${providerName(cloud)} from ${type} to ${found.type}.`
}

/**
 * The configured address may be a name or another route, so the server moved only if the provider changed that very
 * address.
 */
function movedTo({ address: used }: SavedServer, cloud: CloudServerRow, { address: now }: CloudServer) {
  const { address: before, moved_from } = cloud
  const isStillAway = moved_from !== null && moved_from === used && moved_from !== now
  if (before === null || before === now) return { from: isStillAway ? moved_from : null, sentence: undefined }
  const where = now === null ? 'has no public address' : `has the address ${now}`
  return {
    from: before === used ? before : isStillAway ? moved_from : null,
    sentence: `At ${providerName(cloud)}, the server now ${where} (previously ${before}).`,
  }
}

function describeDuplicates({ duplicates: known, ...cloud }: CloudServerRow, seen: string[]): string[] {
  return seen
    .filter((id) => !known.includes(id))
    .map(
      (id) =>
        `Another server at ${providerName(cloud)}, ${id}, has the tag of this server and is billed too.`,
    )
}

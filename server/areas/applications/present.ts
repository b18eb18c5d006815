import type { z } from 'zod'
import type { application, applicationDetails } from '../../../contract/applications.ts'
import { domainUrl, isIssued } from './domain-url.ts'
import type { Facts } from './facts-store.ts'
import { stateOf } from './state.ts'
import type { ApplicationRow } from './store.ts'

export const present = (
  row: ApplicationRow,
  facts: Facts,
  changed: boolean,
): z.input<typeof application> => ({
  id: row.id,
  name: row.name,
  ...stateOf(row, facts),
  source: { type: row.source_type, image: row.image, services: row.services, profiles: row.profiles },
  server: { id: row.server_id, name: facts.server_name },
  address: addressOf(facts),
  changed,
  release: releaseOf(row, facts),
  deployment: facts.deployment && {
    ...facts.deployment,
    created_at: new Date(facts.deployment.created_at).toISOString(),
  },
  created_at: row.created_at.toISOString(),
})

function releaseOf({ release_id: id }: ApplicationRow, facts: Facts): z.input<typeof application>['release'] {
  const { release_number: number, release_image: image, is_older: older } = facts
  return id !== null && number !== null && image !== null ? { id, number, image, older } : null
}

function addressOf(facts: Facts): string | null {
  const { address } = facts
  if (!address) return null
  return domainUrl(address, address.certificate !== null && isIssued(address.certificate), facts)
}

export const presentDetails = (
  row: ApplicationRow,
  facts: Facts,
  { changed, drift }: { changed: boolean; drift: string[] },
): z.input<typeof applicationDetails> => ({
  ...present(row, facts, changed),
  command: row.command,
  port: row.port,
  health: row.health,
  memory_limit: row.memory_limit,
  cpu_limit: row.cpu_limit,
  replicas: row.replicas,
  restart: row.restart,
  stop_seconds: row.stop_seconds,
  drain_seconds: row.drain_seconds,
  stop_first: row.stop_first,
  auto_rollback: row.auto_rollback,
  maintenance: row.maintenance,
  drift,
  proxy_error: facts.proxy_error,
})

import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { domainUrl, isIssued } from './hosts/domain-url.ts'
import { type Facts, listFacts } from './facts-store.ts'

export function addressOf(facts: Pick<Facts, 'address' | 'http_port' | 'https_port'>): string | null {
  const { address } = facts
  if (!address) return null
  return domainUrl(address, address.certificate !== null && isIssued(address.certificate), facts)
}

export async function findAddress(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
): Promise<string | null> {
  const [facts] = await listFacts(db, workspaceId, [id])
  return facts ? addressOf(facts) : null
}

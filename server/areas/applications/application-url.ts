import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import { domainUrl, isIssued } from './hosts/domain-url.ts'
import { type ApplicationFacts, listApplicationFacts } from './facts-store.ts'

export function toApplicationUrl(
  facts: Pick<ApplicationFacts, 'address' | 'http_port' | 'https_port'>,
): string | null {
  const { address } = facts
  if (!address) return null
  return domainUrl(address, address.certificate !== null && isIssued(address.certificate), facts)
}

export async function findApplicationUrl(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
): Promise<string | null> {
  const [facts] = await listApplicationFacts(db, workspaceId, [id])
  return facts ? toApplicationUrl(facts) : null
}

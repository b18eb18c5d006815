import type { ServerRow } from '../../servers/server.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Db } from '../../../tables.ts'
import { type ApplicationFacts, listApplicationFacts } from '../application-facts.ts'

/** Uses HTTPS only once the certificate is issued: browsers warn otherwise. */
export function domainUrl(
  { host, path, https }: { host: string; path: string; https: boolean },
  issued: boolean,
  server: Pick<ServerRow, 'http_port' | 'https_port'>,
): string {
  const secure = https && issued
  const [port, usual] = secure ? [server.https_port, 443] : [server.http_port, 80]
  return `${secure ? 'https' : 'http'}://${host}${port === usual ? '' : `:${port}`}${path}`
}

export const isIssued = (certificate: { status: string; expires_at: Date | string | null }) =>
  certificate.status === 'issued' &&
  (certificate.expires_at === null || new Date(certificate.expires_at) > new Date())

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

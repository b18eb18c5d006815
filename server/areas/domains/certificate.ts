import type { z } from 'zod'
import type { domain } from '../../../contract/domains.ts'
import { isIssued } from '../applications/hosts/domain-url.ts'
import type { CertificateRow } from './store.ts'

export const domainTarget = ({ id, host }: Pick<CertificateRow, 'id' | 'host'>) => ({
  kind: 'certificate',
  id,
  name: host,
})

const ended = {
  acme: 'This certificate has expired and has not been renewed yet.',
  uploaded: 'This certificate has expired. Upload a newer one.',
}

type ApiCertificate = NonNullable<z.input<typeof domain>['certificate']>

export function presentCertificate(row: CertificateRow): ApiCertificate {
  const over = row.status === 'issued' && !isIssued(row)
  return {
    kind: row.kind,
    status: over ? 'failed' : row.status,
    error: row.error ?? (over ? ended[row.kind] : null),
    issuer: row.issuer,
    expires_at: row.expires_at?.toISOString() ?? null,
    next_try_at: row.next_try_at?.toISOString() ?? null,
  }
}

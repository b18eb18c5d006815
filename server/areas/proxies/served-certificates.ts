import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ServedCertificate } from '../../remote/proxy/routing.ts'
import { certificateKeySealContext } from '../applications/hosts/certificate-request.ts'
import type { listMachineCertificates } from './store.ts'

type CertificateRow = Awaited<ReturnType<typeof listMachineCertificates>>[number]

const MAX_CACHED = 10_000

/** Returns one certificate per host, without invalid ones: HAProxy would reject them all. */
export function usableCertificates(ctx: Context, rows: CertificateRow[]): ServedCertificate[] {
  const served = new Map<string, ServedCertificate>()
  for (const { chain, key_sealed, ...row } of rows) {
    if (served.has(row.host) || chain === null || key_sealed === null) continue
    const key = ctx.secrets.open(certificateKeySealContext(row.id), key_sealed)
    const certificate = { host: row.host, pem: `${chain.trim()}\n${key.trim()}\n` }
    const mark = fingerprint(certificate)
    const fits = ctx.certificateChecks.get(mark) ?? isPair(chain, key)
    remember(ctx, mark, fits)
    if (fits) served.set(row.host, certificate)
    else ctx.log.error({ certificate: row.id }, 'The proxy cannot use a certificate.')
  }
  return [...served.values()]
}

export const rejectCertificate = (ctx: Context, certificate: ServedCertificate) =>
  remember(ctx, fingerprint(certificate), false)

function remember({ certificateChecks: checks }: Context, mark: string, fits: boolean) {
  if (checks.size > MAX_CACHED) checks.clear()
  checks.set(mark, fits)
}

const fingerprint = ({ pem }: ServedCertificate) => createHash('sha256').update(pem).digest('base64')

function isPair(chain: string, key: string): boolean {
  try {
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

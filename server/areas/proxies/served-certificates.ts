import { createHash, createPrivateKey, X509Certificate } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { ServedCertificate } from '../../remote/proxy/routing.ts'
import { certificateKeyPlace } from '../applications/hosts/certificate-request.ts'
import type { listCertificatesOf } from './store.ts'

type CertificateRow = Awaited<ReturnType<typeof listCertificatesOf>>[number]

/** What was found of each, so that it is looked at once: they are many, and change seldom. */
const judged = new Map<string, boolean>()
const MOST = 10_000

/** One for each name. What would not work is left out: the proxy would not take any of them, then. */
export function servedOf(ctx: Context, rows: CertificateRow[]): ServedCertificate[] {
  const served = new Map<string, ServedCertificate>()
  for (const { chain, key_sealed, ...row } of rows) {
    if (served.has(row.host) || chain === null || key_sealed === null) continue
    const key = ctx.secrets.open(certificateKeyPlace(row.id), key_sealed)
    const certificate = { host: row.host, pem: `${chain.trim()}\n${key.trim()}\n` }
    const mark = markOf(certificate)
    const fits = judged.get(mark) ?? isPair(chain, key)
    judge(mark, fits)
    if (fits) served.set(row.host, certificate)
    else ctx.log.error({ certificate: row.id }, 'The proxy cannot use a certificate.')
  }
  return [...served.values()]
}

/** The proxy did not take it, whatever is wrong with it. */
export const giveUp = (certificate: ServedCertificate) => judge(markOf(certificate), false)

function judge(mark: string, fits: boolean) {
  if (judged.size > MOST) judged.clear()
  judged.set(mark, fits)
}

const markOf = ({ pem }: ServedCertificate) => createHash('sha256').update(pem).digest('base64')

function isPair(chain: string, key: string): boolean {
  try {
    return new X509Certificate(chain).checkPrivateKey(createPrivateKey(key))
  } catch {
    // What cannot be read is no pair, either.
    return false
  }
}

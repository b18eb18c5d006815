import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Invalid } from '../../errors.ts'

export interface CertificatePair {
  chain: string
  key: string
  issuer: string
  from: Date
  until: Date
}

/** Limits the certificates of a chain, because each is compared with all others. */
const MAX_CERTIFICATES = 20

const wrong = (field: 'certificate' | 'key', says: string) => new Invalid({ [field]: [says] })

export function checkCertificatePair(
  input: { certificate: string; key: string },
  host: string,
  now = new Date(),
): CertificatePair {
  const all = readCertificates(input.certificate)
  const key = readKey(input.key)
  const own = all.find((candidate) => candidate.checkPrivateKey(key))
  if (!own) throw wrong('key', 'This key does not belong to the certificate.')
  if (!own.checkHost(host, { subject: 'never' }))
    throw wrong('certificate', `This certificate is for ${formatNames(own)}, not for ${host}.`)
  const pair = toPair(own, all, key)
  if (pair.until <= now) throw wrong('certificate', `This certificate expired on ${formatDay(pair.until)}.`)
  if (pair.from > now)
    throw wrong('certificate', `This certificate is not valid before ${formatDay(pair.from)}.`)
  checkStrength(pair)
  return pair
}

export function readCertificatePair(chain: string, key: string): CertificatePair {
  const all = readCertificates(chain)
  const own = all.find((candidate) => candidate.checkPrivateKey(createPrivateKey(key)))
  if (!own) throw new Error('The certificate does not match the ordered key.')
  return toPair(own, all, createPrivateKey(key))
}

function readCertificates(text: string): X509Certificate[] {
  if (text.includes('PRIVATE KEY-----'))
    throw wrong('certificate', 'This contains a private key. Enter only the certificate and its chain.')
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw wrong('certificate', 'Must be a certificate in PEM format.')
  if (blocks.length > MAX_CERTIFICATES)
    throw wrong('certificate', `Must contain at most ${MAX_CERTIFICATES} certificates.`)
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw wrong('certificate', `Certificate ${index + 1} of ${blocks.length} is invalid.`)
    }
  })
}

function readKey(text: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw wrong('key', 'This key is encrypted. Decrypt it first: openssl pkey -in key.pem -out plain.pem.')
  try {
    return createPrivateKey(text)
  } catch {
    throw wrong('key', 'Must be a private key in PEM format.')
  }
}

function toPair(own: X509Certificate, all: X509Certificate[], key: KeyObject): CertificatePair {
  return {
    chain: buildChain(own, all).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: formatIssuer(own),
    from: new Date(own.validFrom),
    until: new Date(own.validTo),
  }
}

/** Sorts the chain and omits the root, which clients have already. */
function buildChain(own: X509Certificate, all: X509Certificate[]): string[] {
  const chain = [own]
  for (let last = own; ;) {
    const next = all.find(
      (candidate) =>
        !chain.includes(candidate) && last.checkIssued(candidate) && !candidate.checkIssued(candidate),
    )
    if (!next) return chain.map(String)
    chain.push(next)
    last = next
  }
}

/** The proxy rejects certificates below the default OpenSSL security level, along with all others. */
function checkStrength({ chain, key }: CertificatePair): void {
  try {
    createSecureContext({ cert: chain, key, ciphers: 'DEFAULT@SECLEVEL=2' })
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split(':').at(-1) ?? '') : ''
    throw wrong('certificate', `This certificate is too weak: ${reason}.`)
  }
}

const findNamePart = (name: string, part: string) =>
  new RegExp(`^${part}=(.*)$`, 'm').exec(name)?.[1]?.replaceAll('\\', '')

const formatIssuer = ({ issuer }: X509Certificate) =>
  [findNamePart(issuer, 'O'), findNamePart(issuer, 'CN')].filter((part) => part !== undefined).join(', ') ||
  'unknown'

function formatNames({ subjectAltName = '', subject }: X509Certificate): string {
  const names = subjectAltName.split(', ').flatMap((name) => /^DNS:(.+)$/.exec(name)?.[1] ?? [])
  return names.slice(0, 5).join(', ') || (findNamePart(subject, 'CN') ?? 'no host name')
}

const formatDay = (date: Date) => date.toISOString().slice(0, 10)

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { Invalid } from '../../errors.ts'

/** A certificate that the proxy can use, with all that is told of it. */
export interface Pair {
  /** Its own first, then those that lead to a root. */
  chain: string
  key: string
  issuer: string
  from: Date
  until: Date
}

/** Longer than any real one; each is compared with each. */
const MOST = 20

const wrong = (field: 'certificate' | 'key', says: string) => new Invalid({ [field]: [says] })

/** Whether these serve for the name now; what is wrong is said at its field. */
export function checkPair(given: { certificate: string; key: string }, host: string, now = new Date()): Pair {
  const all = readCertificates(given.certificate)
  const key = readKey(given.key)
  const own = all.find((one) => one.checkPrivateKey(key))
  if (!own) throw wrong('key', 'This key does not belong to the certificate.')
  if (!own.checkHost(host, { subject: 'never' }))
    throw wrong('certificate', `This certificate is for ${namesOf(own)}, and not for ${host}.`)
  const pair = pairOf(own, all, key)
  if (pair.until <= now) throw wrong('certificate', `This certificate expired on ${dayOf(pair.until)}.`)
  if (pair.from > now) throw wrong('certificate', `This certificate is not valid before ${dayOf(pair.from)}.`)
  checkStrength(pair)
  return pair
}

/** Of one that the certificate authority gave for our own key. */
export function readPair(chain: string, key: string): Pair {
  const all = readCertificates(chain)
  const own = all.find((one) => one.checkPrivateKey(createPrivateKey(key)))
  if (!own) throw new Error('The certificate is not for the key that it was ordered with.')
  return pairOf(own, all, createPrivateKey(key))
}

function readCertificates(text: string): X509Certificate[] {
  if (text.includes('PRIVATE KEY-----'))
    throw wrong('certificate', 'This holds a private key. Put only the certificate and its chain here.')
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) throw wrong('certificate', 'Must be a certificate in PEM.')
  if (blocks.length > MOST) throw wrong('certificate', `Must hold at most ${MOST} certificates.`)
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block)
    } catch {
      throw wrong('certificate', `Certificate ${index + 1} of ${blocks.length} in it cannot be read.`)
    }
  })
}

function readKey(text: string): KeyObject {
  if (/ENCRYPTED/.test(text))
    throw wrong(
      'key',
      'This key is protected by a password. Remove that first, with: openssl pkey -in key.pem -out plain.pem.',
    )
  try {
    return createPrivateKey(text)
  } catch {
    throw wrong('key', 'Must be a private key in PEM.')
  }
}

function pairOf(own: X509Certificate, all: X509Certificate[], key: KeyObject): Pair {
  return {
    chain: chainOf(own, all).join(''),
    key: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    issuer: issuerOf(own),
    from: new Date(own.validFrom),
    until: new Date(own.validTo),
  }
}

/** In whichever order they were given. A root is left out: who does not know it already would not trust it. */
function chainOf(own: X509Certificate, all: X509Certificate[]): string[] {
  const chain = [own]
  for (let last = own; ;) {
    const next = all.find((one) => !chain.includes(one) && last.checkIssued(one) && !one.checkIssued(one))
    if (!next) return chain.map(String)
    chain.push(next)
    last = next
  }
}

/** What OpenSSL refuses at its usual level, the proxy refuses too, and every other name with it. */
function checkStrength({ chain, key }: Pair): void {
  try {
    createSecureContext({ cert: chain, key, ciphers: 'DEFAULT@SECLEVEL=2' })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split(':').at(-1) ?? '') : ''
    throw wrong('certificate', `This certificate is too weak to be used: ${why}.`)
  }
}

const partOf = (name: string, part: string) =>
  new RegExp(`^${part}=(.*)$`, 'm').exec(name)?.[1]?.replaceAll('\\', '')

const issuerOf = ({ issuer }: X509Certificate) =>
  [partOf(issuer, 'O'), partOf(issuer, 'CN')].filter((part) => part !== undefined).join(', ') || 'unknown'

function namesOf({ subjectAltName = '', subject }: X509Certificate): string {
  const names = subjectAltName.split(', ').flatMap((name) => /^DNS:(.+)$/.exec(name)?.[1] ?? [])
  return names.slice(0, 5).join(', ') || (partOf(subject, 'CN') ?? 'no name at all')
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10)

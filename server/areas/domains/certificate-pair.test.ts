import { createPrivateKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { madeCertificate } from '../../../test/support/factories/certificates.ts'
import { Invalid } from '../../errors.ts'
import { checkCertificatePair } from './certificate-pair.ts'

const host = 'app.example.com'

/** Returns the error message with its field. */
function refusal(given: { certificate: string; key: string }, name = host, now?: Date): object {
  try {
    checkCertificatePair(given, name, now)
  } catch (error) {
    if (error instanceof Invalid) return error.errors
    throw error
  }
  return {}
}

test('accepts certificates for the name and matching wildcards', async () => {
  const pair = await madeCertificate(host)
  const { chain, key, issuer, until } = checkCertificatePair(pair, host)
  expect(chain).toBe(pair.certificate)
  expect(key).toContain('BEGIN PRIVATE KEY')
  expect(issuer).toBe(host)
  expect(until.getTime() - Date.now()).toBeGreaterThan(29 * 86_400_000)
  const wildcard = await madeCertificate('*.example.com')
  expect(refusal(wildcard)).toEqual({})
  expect(refusal(wildcard, 'deep.app.example.com')).toEqual({
    certificate: ['This certificate is for *.example.com, not for deep.app.example.com.'],
  })
})

test('sorts the chain and ignores unrelated certificates', async () => {
  const root = await madeCertificate('root.test')
  const between = await madeCertificate('between.test', { by: root })
  const own = await madeCertificate(host, { by: between })
  const other = await madeCertificate('other.test')
  const certificate = [root, other, between, own, between].map((pair) => pair.certificate).join('\n')
  const { chain, issuer } = checkCertificatePair({ certificate, key: own.key }, host)
  expect(chain).toBe(own.certificate + between.certificate)
  expect(issuer).toBe('between.test')
})

test('reports unusable certificates and keys at their field', async () => {
  const pair = await madeCertificate(host)
  const { certificate, key } = pair
  const other = await madeCertificate(host)
  const weak = await madeCertificate(host, { kind: ['rsa:1024'] })
  const lock = { cipher: 'aes-256-cbc', passphrase: 'secret' }
  const locked = String(createPrivateKey(key).export({ type: 'pkcs8', format: 'pem', ...lock }))
  const later = (days: number) => new Date(Date.now() + days * 86_400_000)
  const block = (words: string) => `-----BEGIN ${words}-----\nbm90aGluZw==\n-----END ${words}-----\n`
  expect(refusal({ certificate, key: other.key })).toEqual({
    key: ['This key does not belong to the certificate.'],
  })
  expect(refusal(pair, 'www.example.com')).toEqual({
    certificate: ['This certificate is for app.example.com, not for www.example.com.'],
  })
  expect(refusal(pair, host, later(31))).toEqual({
    certificate: [expect.stringMatching(/^This certificate expired on \d{4}-\d\d-\d\d\.$/)],
  })
  expect(refusal(pair, host, later(-1))).toEqual({
    certificate: [expect.stringMatching(/^This certificate is not valid before /)],
  })
  expect(refusal(weak)).toEqual({
    certificate: ['This certificate is too weak: ee key too small.'],
  })
  expect(refusal({ certificate, key: locked })).toEqual({
    key: [expect.stringMatching(/^This key is encrypted\./)],
  })
  expect(refusal({ certificate: certificate + key, key })).toEqual({
    certificate: ['This contains a private key. Enter only the certificate and its chain.'],
  })
  expect(refusal({ certificate: block('NOTHING'), key })).toEqual({
    certificate: ['Must be a certificate in PEM format.'],
  })
  expect(refusal({ certificate: certificate + block('CERTIFICATE'), key })).toEqual({
    certificate: ['Certificate 2 of 2 is invalid.'],
  })
  expect(refusal({ certificate, key: block('PRIVATE KEY') })).toEqual({
    key: ['Must be a private key in PEM format.'],
  })
  expect(refusal({ certificate: certificate.repeat(21), key })).toEqual({
    certificate: ['Must contain at most 20 certificates.'],
  })
})

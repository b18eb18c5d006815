import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from '../programs/programs.ts'

export interface TestPair {
  certificate: string
  key: string
}

interface CertificateOptions {
  /** Issuer; self-signed by default. */
  by?: TestPair
  /** Key type of OpenSSL. */
  kind?: string[]
  /** Expired yesterday; self-signed only. */
  over?: boolean
  later?: Parameters<typeof temporaryFolder>[0]
}

const usual = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

/** PEM certificate with key, which may sign others. */
export async function madeCertificate(host: string, given: CertificateOptions = {}): Promise<TestPair> {
  const folder = await temporaryFolder(given.later)
  const file = (name: string) => join(folder, name)
  const signer: string[] = []
  if (given.by) {
    await writeFile(file('ca.pem'), given.by.certificate)
    await writeFile(file('ca.key'), given.by.key)
    signer.push('-CA', file('ca.pem'), '-CAkey', file('ca.key'))
  }
  const names = ['-subj', `/CN=${host.slice(0, 60)}`, '-addext', `subjectAltName=DNS:${host}`]
  const files = ['-keyout', file('key.pem'), '-out', file('certificate.pem')]
  const kind = given.kind ?? usual
  const made = ['req', '-x509', '-nodes', '-days', '30', '-newkey', ...kind, ...signer, ...files, ...names]
  await promisify(execFile)('openssl', made)
  const again = ['x509', '-in', file('certificate.pem'), '-signkey', file('key.pem'), '-days', '-1']
  if (given.over) await promisify(execFile)('openssl', [...again, '-out', file('certificate.pem')])
  return {
    certificate: await readFile(file('certificate.pem'), 'utf8'),
    key: await readFile(file('key.pem'), 'utf8'),
  }
}

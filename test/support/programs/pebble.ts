import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, vi } from 'vitest'
import { madeCertificate } from '../factories/certificates.ts'
import { temporaryFolder } from './programs.ts'
import { freePort } from './slipway-process.ts'

export interface TestDns {
  /** Value of DNS_SERVER. */
  address: string
  /** Sets the addresses of a name. */
  point(host: string, ...addresses: string[]): Promise<void>
  /** Sets the TXT records of a name. */
  write(host: string, ...values: string[]): Promise<void>
}

export interface Pebble extends Omit<TestDns, 'address'> {
  /** Environment for Slipway. */
  env: { ACME_URL: string; ACME_CA_FILE: string; DNS_SERVER: string }
  /** Root certificate in PEM. */
  root: string
}

/** Pebble refuses certificates for this name. */
export const blockedName = 'blocked.example.com'

// Ends with the folder, or with the process that started it.
const run = (cwd: string, ...program: string[]) =>
  spawn('sh', ['-c', '"$@" & pid=$!; read -r end; kill "$pid"', 'sh', ...program], {
    cwd,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '100' },
  })

/** A DNS server with configured records; ends with the file. */
export async function startDns(): Promise<TestDns> {
  const folder = await temporaryFolder(afterAll)
  const [dns, management] = [await freePort(), await freePort()]
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv4', '', '-defaultIPv6', '']
  run(
    folder,
    'pebble-challtestsrv',
    '-dns01',
    `127.0.0.1:${dns}`,
    '-management',
    `127.0.0.1:${management}`,
    ...off,
  )
  const tell = (path: string, body: object) =>
    fetch(`http://127.0.0.1:${management}/${path}`, { method: 'POST', body: JSON.stringify(body) })
  await vi.waitFor(() => tell('clear-a', { host: 'nobody.test.' }), 60_000)
  return {
    address: `127.0.0.1:${dns}`,
    async point(host, ...addresses) {
      await tell('clear-a', { host: `${host}.` })
      if (addresses.length > 0) await tell('add-a', { host: `${host}.`, addresses })
    },
    async write(host, ...values) {
      await tell('clear-txt', { host: `${host}.` })
      for (const value of values) await tell('set-txt', { host: `${host}.`, value })
    },
  }
}

/** Let's Encrypt's test authority with a DNS server; both end with the file. */
export async function startPebble(): Promise<Pebble> {
  const folder = await temporaryFolder(afterAll)
  const { address: dns, ...names } = await startDns()
  const [acme, management] = [await freePort(), await freePort()]
  const { certificate, key } = await madeCertificate('localhost', { later: afterAll })
  const ca = join(folder, 'certificate.pem')
  await writeFile(ca, certificate)
  await writeFile(join(folder, 'key.pem'), key)
  const config = {
    listenAddress: `127.0.0.1:${acme}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: ca,
    privateKey: join(folder, 'key.pem'),
    httpPort: 80,
    tlsPort: 443,
    domainBlocklist: [blockedName],
  }
  await writeFile(join(folder, 'config.json'), JSON.stringify({ pebble: config }))
  run(folder, 'pebble', '-config', 'config.json', '-dnsserver', dns)
  const root = await vi.waitFor(() => read(`https://localhost:${management}/roots/0`, certificate), 60_000)
  return {
    ...names,
    env: {
      ACME_URL: `https://localhost:${acme}/dir`,
      ACME_CA_FILE: ca,
      DNS_SERVER: dns,
    },
    root,
  }
}

const read = (url: string, ca: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { ca }, (answer) => void text(answer).then(resolve, reject)).on('error', reject)
  })

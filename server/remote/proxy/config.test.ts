import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/programs.ts'
import { proxyConfig, proxyFolder } from './config.ts'

const ports = { httpPort: 8080, httpsPort: 8443 }

test.each([true, false])('HAProxy itself takes it, with IPv6: %s', async (ipv6) => {
  const folder = await temporaryFolder()
  const file = join(folder, 'haproxy.cfg')
  await writeFile(join(folder, 'certificates.txt'), '')
  await writeFile(file, proxyConfig({ ...ports, ipv6 }).replaceAll(proxyFolder, folder))
  await promisify(execFile)('/usr/sbin/haproxy', ['-c', '-f', file])
})

test('it listens where it is told, and on IPv6 only where there is any', () => {
  const binds = (ipv6: boolean) =>
    [...proxyConfig({ ...ports, ipv6 }).matchAll(/^ {2}bind (\S+)/gm)].map(([, where]) => where)
  expect(binds(false)).toEqual([':8080', ':8443'])
  expect(binds(true)).toEqual([':8080', ':::8080', ':8443', ':::8443'])
})

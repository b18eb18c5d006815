import { randomBytes } from 'node:crypto'
import { afterAll, expect, test, vi } from 'vitest'
import { getPull, pullImage } from '../../../contract/images.ts'
import { createTestDatabase } from '../../../test/support/run/database.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { publish, startRegistry } from '../../../test/support/programs/registry.ts'
import { startGate } from '../../../test/support/fakes/registry-gate.ts'
import { ask, startOn } from '../../../test/support/programs/slipway-process.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { createSecrets } from '../../platform/secrets.ts'

const host = await takeHost()
const database = await createTestDatabase()
afterAll(() => database.drop())
const key = randomBytes(32)
const { workspace, admin } = await makeTeam(database.db)
const server = await makeServer({ db: database.db, secrets: createSecrets([key]) }, workspace, host)

test('resumes a pull after Slipway was killed', { timeout: 240_000 }, async () => {
  const registry = await startRegistry(host)
  const gate = await startGate(registry)
  const image = await publish(host, registry, 'shop/web:1.0', { a: 3_000_000 })
  gate.close()
  const first = await startOn(database, key)
  const wanted = { image: image.replace(registry.address, gate.address) }
  const { text } = await ask(first.url, `/v1/servers/${server}/images`, admin.token, wanted)
  const { pull } = pullImage.reply.parse(JSON.parse(text))
  await vi.waitFor(() => expect(gate.held()).toBeGreaterThan(0), { timeout: 60_000 })
  await first.end('SIGKILL')
  gate.open()
  const second = await startOn(database, key)
  await vi.waitFor(
    async () => {
      const now = await ask(second.url, `/v1/servers/${server}/pulls/${pull.id}`, admin.token)
      expect(getPull.reply.parse(JSON.parse(now.text)).pull).toMatchObject({ status: 'completed' })
    },
    { timeout: 120_000, interval: 100 },
  )
  await host.exec('docker', 'image', 'inspect', wanted.image)
})

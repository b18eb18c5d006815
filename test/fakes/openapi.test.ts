import { readFile } from 'node:fs/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { findProvider } from '../../server/areas/providers/providers.ts'
import { newId } from '../../server/platform/ids.ts'
import { newKeyPair } from '../../server/remote/keys.ts'
import { startSlipway } from '../context.ts'
import { startFakeDigitalOcean } from './clouds/digital-ocean.ts'
import { startFakeHetzner } from './clouds/hetzner.ts'
import { startFakeVultr } from './clouds/vultr.ts'
import { compare, type Published, startRecorder } from './openapi/published.ts'

const readPublished = async (name: string): Promise<Published> =>
  JSON.parse(await readFile(new URL(`openapi/${name}.json`, import.meta.url), 'utf8'))

const clouds = {
  hetzner: {
    start: startFakeHetzner,
    document: 'hetzner',
    wanted: { region: 'nbg1', type: 'cx23', image: 'debian-12' },
  },
  digitalocean: {
    start: startFakeDigitalOcean,
    document: 'digital-ocean',
    wanted: { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
  },
  vultr: {
    start: startFakeVultr,
    document: 'vultr',
    wanted: { region: 'fra', type: 'vc2-1c-1gb', image: '2136' },
  },
}

test.each(Object.entries(clouds))(
  'answers every call of Slipway as the published document of %s says',
  async (id, { start, document, wanted }) => {
    const published = await readPublished(document)
    const provider = findProvider(id)
    if (!provider) throw new Error(`There is no provider ${id}.`)
    const fake = await start()
    const recorder = await startRecorder(fake.url)
    const env = Object.fromEntries(Object.keys(fake.env).map((name) => [name, recorder.url]))
    const slipway = await startSlipway(env)
    afterAll(async () => {
      await slipway.close()
      recorder.close()
      await fake.close()
    })
    const account = { ctx: slipway.ctx, token: fake.addToken() }
    await provider.check(account)
    await provider.listRegions(account)
    await provider.listTypes(account)
    await provider.listImages(account)
    const { publicKey } = newKeyPair('web')
    const keyId = await provider.keepKey(account, { name: 'web', publicKey })
    const madeFor = newId('server')
    const order = { name: 'web-1', ...wanted, keyId, userData: '#!/bin/sh\n', madeFor }
    const made = await provider.createServer(account, order)
    await vi.waitFor(async () =>
      expect(await provider.findServer(account, made.id)).toMatchObject({ status: 'running' }),
    )
    fake.addServer({ name: 'other', ...wanted })
    expect(await provider.listServers(account, madeFor)).toHaveLength(1)
    expect(await provider.listServers(account)).toHaveLength(2)
    await provider.destroyServer(account, made.id)
    expect(await provider.findServer(account, made.id)).toBeUndefined()
    await provider.removeKey(account, keyId)
    // Refusals have a form as well.
    await expect(provider.createServer(account, { ...order, region: 'mars' })).rejects.toThrow(provider.name)
    for (const rights of ['read', 'none'] as const)
      await expect(
        provider.keepKey({ ...account, token: fake.addToken({ rights }) }, { name: 'web', publicKey }),
      ).rejects.toThrow(provider.name)
    expect(compare(published, recorder.exchanges)).toEqual({ problems: [], unasked: [] })
  },
)

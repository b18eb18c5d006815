import { afterAll, expect, test, vi } from 'vitest'
import { createApplication } from '../../contract/applications.ts'
import { startSlipway } from '../support/stages/context.ts'
import { startDeployer, startShops } from '../support/stages/deployments.ts'
import { makeServer, makeTeam } from '../support/factories/factories.ts'
import { loadApp } from '../support/rig/load-app.ts'
import { rolledFile, rolledServices, rollServices } from '../support/stages/roll-services.ts'
import { takeSetUpHost } from '../support/stages/setups.ts'

vi.setConfig({ testTimeout: 240_000 })

const host = await takeSetUpHost()
await loadApp(host, '1')
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const { workspace, member } = await makeTeam(slipway.db)
const server_id = await makeServer(slipway.ctx, workspace, host)
slipway.work()
const { request, ended } = startDeployer(slipway, member.token)
const { setEnv } = startShops(slipway, { workspace, server: server_id, host })

test('rolls services one by one without failed requests', async () => {
  const addressOf = (service: string) => `${service}.example.com`
  const { application } = await slipway.ok(createApplication, {
    token: member.token,
    body: {
      name: 'rolled',
      server_id,
      source: { type: 'compose', compose: rolledFile },
      env: rolledServices.map((service) => ({ key: service.toUpperCase(), value: '0' })),
      domains: rolledServices.map((service) => ({
        service,
        host: addressOf(service),
        port: 3000,
        https: false,
      })),
      generated_address: false,
    },
  })
  const deployed = async () => {
    const { id } = await request(application.id)
    expect(await ended(id)).toMatchObject({ status: 'completed', errors: [] })
  }
  await deployed()
  const rolled = await rollServices(
    {
      host,
      application: application.id,
      addressOf,
      async deploy(versions, loads) {
        const { web, api, docs } = versions
        await setEnv(application.id, { WEB: web, API: api, DOCS: docs })
        await deployed()
        for (const service of rolledServices)
          await vi.waitFor(() => expect(loads[service].result.versions).toContain(versions[service]))
      },
    },
    3,
    { keepAlive: 4, fresh: 2, pauseMs: 50 },
  )
  expect(rolled.failures).toEqual([])
  expect(rolled.touched).toEqual([])
  expect(rolled.versions).toEqual([2, 2, 2])
})

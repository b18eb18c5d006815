import { afterAll, expect, test, vi } from 'vitest'
import { createImportToken } from '../contract/imports.ts'
import { startSlipway } from '../test/support/stages/context.ts'
import { makeTeam } from '../test/support/factories/factories.ts'
import { takeProvidedHost } from '../test/support/stages/setups.ts'
import { freePort } from '../test/support/programs/slipway-process.ts'
import { report } from './results.ts'

const host = await takeProvidedHost()
const port = Number(await freePort())
const slipway = await startSlipway({
  PROXY_IMAGE: host.image.name,
  PUBLIC_URL: `http://${host.machine}:${port}`,
})
afterAll(() => slipway.close())
await slipway.listen({ host: host.machine, port })
slipway.work()

test('imports a server from the pasted command to ready', async () => {
  const { admin, workspace } = await makeTeam(slipway.db)
  const { command } = await slipway.ok(createImportToken, { token: admin.token, body: {} })
  const began = performance.now()
  await host.exec('sh', '-c', command)
  await vi.waitFor(
    async () => {
      const servers = await slipway.db
        .selectFrom('servers')
        .select(['status', 'reason'])
        .where('workspace_id', '=', workspace)
        .execute()
      expect(servers).toEqual([{ status: 'ready', reason: null }])
    },
    { timeout: 60_000, interval: 20 },
  )
  const seconds = (performance.now() - began) / 1000
  report({
    what: 'import line pasted → ready, Docker already there',
    bar: '≤ 10 s',
    measured: `${seconds.toFixed(1)} s`,
    met: seconds <= 10,
  })
})

import { afterAll, expect, test } from 'vitest'
import { makeTeam } from '../support/factories/factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { faults } from '../support/browser/faults.ts'
import { cloudScreens } from '../support/browser/screens-clouds.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeCloudWorld } from '../support/browser/world-clouds.ts'

const hetzner = await startFakeHetzner()
afterAll(() => hetzner.close())
// Nobody makes, destroys or looks after the servers: they stay in the state that they are shown in.
const stage = await openStage({ ...hetzner.env, ROLE: 'web' })

test('of servers at a cloud axe finds nothing wrong and no screen is too wide', async () => {
  const { workspace, admin } = await makeTeam(stage.database.db)
  const at = await makeCloudWorld(stage.ctx, workspace, hetzner.addToken())
  for (const name of ['db-1', 'averylongnamewithoutasinglespace'.repeat(2).slice(0, 63)])
    hetzner.addServer({ name, region: 'fsn1', type: 'cx23', image: 'debian-12' })
  hetzner.addServer({ name: 'off-1', region: 'nbg1', type: 'cx23', image: 'debian-12', status: 'off' })
  const page = await stage.page({ token: admin.token })
  expect(await faults(page, '/dashboard', cloudScreens(at))).toEqual([])
}, 240_000)

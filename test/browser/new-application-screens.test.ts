import { expect, test } from 'vitest'
import { faults } from '../support/browser/faults.ts'
import { newApplicationScreens, tellImages } from '../support/browser/screens-new-application.ts'
import { openStage } from '../support/browser/stage.ts'
import { makeBusyWorkspace } from '../support/browser/world.ts'

// Nobody looks after the servers: they stay in the state that they are shown in.
const stage = await openStage({ ROLE: 'web' })

test('on the way to a new application axe finds nothing wrong and no screen is too wide', async () => {
  const server = 'Averylongnamewithoutasinglespace'.repeat(4).slice(0, 100)
  const { token } = await makeBusyWorkspace(stage.ctx, { server })
  const page = await stage.page({ token })
  await tellImages(page)
  expect(await faults(page, '/dashboard', newApplicationScreens)).toEqual([])
}, 240_000)

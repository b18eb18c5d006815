import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { faults } from './faults.ts'
import { openScreens } from './screens-open.ts'
import { dashboardScreens, serverScreens } from './screens.ts'
import { openStage } from './stage.ts'
import { makeBusyWorkspace } from './world.ts'

// Nobody looks after the servers: they stay in the state that they are shown in.
const stage = await openStage({ ROLE: 'web' })

/** The longest names that there can be: with shorter ones no screen is wider, and axe sees the same. */
const word = 'Averylongnamewithoutasinglespace'
const longest = () => ({
  server: word.repeat(4).slice(0, 100),
  workspace: word.repeat(4).slice(0, 100),
  owner: {
    name: word.repeat(4).slice(0, 100),
    // Another each time, also when a test is run again.
    email: `${randomBytes(32).toString('hex')}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
  },
})

test('before the log-in axe finds nothing wrong and no screen is too wide', async () => {
  const page = await stage.page()
  expect(await faults(page, '/login', openScreens)).toEqual([])
}, 120_000)

test('in the dashboard axe finds nothing wrong and no screen is too wide', async () => {
  const { token } = await makeBusyWorkspace(stage.ctx, longest())
  const page = await stage.page({ token })
  expect(await faults(page, '/dashboard', dashboardScreens)).toEqual([])
}, 240_000)

test('of servers axe finds nothing wrong and no screen is too wide', async () => {
  const { token } = await makeBusyWorkspace(stage.ctx, longest())
  const page = await stage.page({ token })
  expect(await faults(page, '/dashboard', serverScreens)).toEqual([])
}, 240_000)

import { expect, test } from 'vitest'
import { faults, widthFaults } from './faults.ts'
import { dashboardScreens, openScreens, serverScreens } from './screens.ts'
import { openStage } from './stage.ts'
import { walk } from './walk.ts'
import { makeBusyWorkspace } from './world.ts'

// Nobody looks after the servers: they stay in the state that they are shown in.
const stage = await openStage({ ROLE: 'web' })
const { db } = stage.database

const word = 'Averylongnamewithoutasinglespace'
const longest = {
  server: word.repeat(4).slice(0, 100),
  workspace: word.repeat(4).slice(0, 100),
  owner: {
    name: word.repeat(4).slice(0, 100),
    email: `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.example`,
  },
}

test('before the log-in axe finds nothing wrong and no screen is too wide', async () => {
  const page = await stage.page()
  expect(await faults(page, '/login', openScreens)).toEqual([])
}, 120_000)

test('in the dashboard axe finds nothing wrong and no screen is too wide', async () => {
  const { token } = await makeBusyWorkspace(db)
  const page = await stage.page({ token })
  expect(await faults(page, '/dashboard', dashboardScreens)).toEqual([])
}, 240_000)

test('of servers axe finds nothing wrong and no screen is too wide', async () => {
  const { token } = await makeBusyWorkspace(db, { owner: { name: 'Grace', email: 'grace@dock.example' } })
  const page = await stage.page({ token })
  expect(await faults(page, '/dashboard', serverScreens)).toEqual([])
}, 240_000)

test('the longest names make no screen too wide', async () => {
  const { token } = await makeBusyWorkspace(db, longest)
  const page = await stage.page({ token })
  const found: string[] = []
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/dashboard')
  const screens = [...dashboardScreens, ...serverScreens]
  await walk(page, screens, async (screen) => void found.push(...(await widthFaults(page, screen))))
  expect(found).toEqual([])
}, 240_000)

import { expect, it } from 'vitest'
import { profilesIn } from './profiles-in.ts'

it('offers the profiles of the file with their services, and what was chosen before', () => {
  const services = [
    { name: 'web', profiles: [] },
    { name: 'shell', profiles: ['debug'] },
    { name: 'admin', profiles: ['tools', 'debug'] },
  ]
  expect(profilesIn(services, ['old'])).toEqual([
    { name: 'debug', help: 'With admin, shell.' },
    { name: 'old', help: 'No service of the file names it.' },
    { name: 'tools', help: 'With admin.' },
  ])
  expect(profilesIn([{ name: 'web', profiles: [] }], [])).toEqual([])
})

import { expect, it } from 'vitest'
import { profileOptions } from './profile-options.ts'

it('offers the profiles of the file with their services, and what was chosen before', () => {
  const services = [
    { name: 'web', profiles: [] },
    { name: 'shell', profiles: ['debug'] },
    { name: 'admin', profiles: ['tools', 'debug'] },
  ]
  expect(profileOptions(services, ['old'])).toEqual([
    { name: 'debug', help: 'With admin, shell.' },
    { name: 'old', help: 'Not used by any service.' },
    { name: 'tools', help: 'With admin.' },
  ])
  expect(profileOptions([{ name: 'web', profiles: [] }], [])).toEqual([])
})

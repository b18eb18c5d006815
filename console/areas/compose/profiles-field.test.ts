import { expect, it } from 'vitest'
import { profileOptions } from './profiles-field.tsx'

it('lists the profiles of the file with their services, and selected profiles that are gone', () => {
  const services = [
    { name: 'web', profiles: [] },
    { name: 'shell', profiles: ['debug'] },
    { name: 'admin', profiles: ['tools', 'debug'] },
  ]
  expect(profileOptions(services, ['old'])).toEqual([
    { name: 'debug', help: 'Adds admin, shell.' },
    { name: 'old', help: 'Not used by any service.' },
    { name: 'tools', help: 'Adds admin.' },
  ])
  expect(profileOptions([{ name: 'web', profiles: [] }], [])).toEqual([])
})

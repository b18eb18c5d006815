import { expect, it } from 'vitest'
import { sourceLabel, sourceWords } from './source-label.ts'

it('knows GitHub and images, and takes anything else for compose', () => {
  expect(['github', 'docker_image', 'compose', 'whatever'].map(sourceLabel)).toEqual([
    'GitHub',
    'Docker image',
    'Compose',
    'Compose',
  ])
})

it('counts the services of a compose file', () => {
  expect(sourceWords({ type: 'docker_image', services: null })).toBe('Docker image')
  expect(sourceWords({ type: 'compose', services: ['web'] })).toBe('Compose · 1 service')
  expect(sourceWords({ type: 'stack', services: ['web', 'api', 'db'] })).toBe('Compose · 3 services')
})

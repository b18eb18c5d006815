import { expect, it } from 'vitest'
import { triggerLabel, sourceLabel, sourceSummary } from './source-label.ts'

it('labels GitHub, images and compose', () => {
  expect(['github', 'docker_image', 'compose', 'whatever'].map(sourceLabel)).toEqual([
    'GitHub',
    'Docker image',
    'Compose',
    'Compose',
  ])
})

it('names the repository and counts compose services', () => {
  expect(sourceSummary({ type: 'docker_image', services: null, repository: null })).toBe('Docker image')
  const repository = { name: 'octocat/hello', branch: 'main' }
  expect(sourceSummary({ type: 'github', services: null, repository })).toBe('GitHub · octocat/hello')
  expect(sourceSummary({ type: 'compose', services: ['web'], repository: null })).toBe('Compose · 1 service')
  expect(sourceSummary({ type: 'stack', services: ['web', 'api', 'db'], repository: null })).toBe(
    'Compose · 3 services',
  )
})

it('describes the deployment trigger', () => {
  expect(triggerLabel({ deploy_on: 'push', tags: '' })).toBe('deploys on every push')
  expect(triggerLabel({ deploy_on: 'tag', tags: 'v*' })).toBe('deploys on tags v*')
  expect(triggerLabel({ deploy_on: 'nothing', tags: '' })).toBe('manual deployments')
})

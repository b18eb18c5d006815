import { expect, it } from 'vitest'
import { deploymentTone, deploymentType } from './deployment-words.ts'

it('is green when completed, red when failed, yellow otherwise', () => {
  expect(['completed', 'failed', 'queued', 'running', 'cancelled', 'brand new'].map(deploymentTone)).toEqual([
    'green',
    'red',
    'yellow',
    'yellow',
    'yellow',
    'yellow',
  ])
})

it('is a Build only when an application is built', () => {
  expect(deploymentType('build_application')).toBe('Build')
  expect(deploymentType('rollback_application')).toBe('Deploy')
})

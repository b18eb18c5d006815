import { expect, it } from 'vitest'
import { sourceLabel } from './source-label.ts'

it('knows GitHub and images, and takes anything else for compose', () => {
  expect(['github', 'docker_image', 'compose', 'whatever'].map(sourceLabel)).toEqual([
    'GitHub',
    'Docker image',
    'Compose',
    'Compose',
  ])
})

import { expect, it } from 'vitest'
import {
  canRollBackTo,
  changedField,
  deploymentStatusLabel,
  deploymentTone,
  deploymentType,
  emptyLogText,
  findLatestLive,
  hasCrashed,
  isDeploymentInProgress,
  stepLabel,
  stepsSummary,
} from './deployment-labels.ts'

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

it('is a Build only for build_application', () => {
  expect(deploymentType('build_application')).toBe('Build')
  expect(deploymentType('rollback_application')).toBe('Deploy')
})

it('is in progress until it finishes, and crashed if its containers did', () => {
  const under = ['queued', 'running', 'completed', 'failed', 'cancelled'].filter((status) =>
    isDeploymentInProgress({ status }),
  )
  expect(under).toEqual(['queued', 'running'])
  expect(['crashed', 'completed', 'failed'].map((status) => hasCrashed({ status }))).toEqual([
    true,
    false,
    false,
  ])
})

it('labels the steps by the type of the deployment', () => {
  const label = (name: 'check' | 'fetch' | 'drain', type: string, tag: string | null = 'shop:1') =>
    stepLabel(name, { type, data: { tag } })
  expect(label('drain', 'deploy_application')).toBe('Drain old containers')
  expect(label('drain', 'stop_application')).toBe('Stop containers')
  expect(label('check', 'stop_application')).toBe('Check')
  expect(label('fetch', 'deploy_application')).toBe('Pull image')
  expect(label('fetch', 'deploy_application', null)).toBe('Pull images')
  expect(label('fetch', 'build_application', null)).toBe('Fetch source')
})

it('shows Canceling… until the deployment is canceled', () => {
  expect(deploymentStatusLabel({ status: 'running', cancelling: true })).toBe('Canceling…')
  expect(deploymentStatusLabel({ status: 'cancelled', cancelling: false })).toBe('Cancelled')
})

it('summarizes the steps in one line', () => {
  const time = { error: null, started_at: null, finished_at: null }
  const summary = (
    status: string,
    ...states: ('waiting' | 'completed' | 'running' | 'failed' | 'undone')[]
  ) => {
    const names = ['check', 'fetch', 'start'] as const
    const steps = names.map((name, index) => ({ name, status: states[index] ?? 'waiting', ...time }))
    return stepsSummary({ type: 'deploy_application', data: { tag: 'shop:1' }, status, steps })
  }
  expect(summary('queued')).toBe('3 steps, not started')
  expect(summary('running', 'completed', 'running')).toBe('Step 2 of 3: Pull image')
  expect(summary('failed', 'completed', 'failed')).toBe('Step 2 of 3 failed: Pull image')
  expect(summary('cancelled', 'completed', 'completed', 'undone')).toBe(
    'Step 3 of 3 reverted: Start container',
  )
  expect(summary('cancelled')).toBe('3 steps, none done')
  expect(summary('completed', 'completed', 'completed', 'completed')).toBe('All 3 steps done')
})

it('explains an empty log', () => {
  const words = (given: { status: string; started_at?: string; deleted?: boolean }) => {
    const { status, started_at = null, deleted = false } = given
    return emptyLogText({ status, started_at, data: { deleted } })
  }
  expect(words({ status: 'queued' })).toBe('Queued')
  expect(words({ status: 'running', started_at: 'noon' })).toBe('Waiting for output…')
  expect(words({ status: 'cancelled' })).toBe('Canceled before it started.')
  expect(words({ status: 'cancelled', started_at: 'noon' })).toBe('No output.')
  expect(words({ status: 'completed', deleted: true })).toBe('Logs are kept for 30 days.')
})

it('splits a changed field into label and name', () => {
  expect(changedField('memory_limit')).toEqual({ label: 'Memory limit', name: '' })
  expect(changedField('labels.com.example.team')).toEqual({ label: 'Label', name: 'com.example.team' })
  expect(changedField('volumes./data')).toEqual({ label: 'Volume at', name: '/data' })
  expect(changedField('brand_new')).toEqual({ label: 'brand_new', name: '' })
})

const release = { image_available: true, current: false, live_at: '2026-11-15T10:00:00.000Z' }

it('allows a rollback to releases that were live and have their image, except the current one', () => {
  expect(canRollBackTo(release)).toBe(true)
  expect(canRollBackTo({ ...release, image_available: false })).toBe(false)
  expect(canRollBackTo({ ...release, current: true })).toBe(false)
  expect(canRollBackTo({ ...release, live_at: null })).toBe(false)
})

it('picks the release that was live most recently', () => {
  const again = { ...release, live_at: '2026-11-15T12:00:00.000Z' }
  expect(findLatestLive([release, again, { ...release, live_at: null }])).toBe(again)
  expect(findLatestLive([])).toBeUndefined()
})

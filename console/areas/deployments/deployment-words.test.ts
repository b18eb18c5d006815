import { expect, it } from 'vitest'
import {
  changedField,
  deploymentTone,
  deploymentType,
  hasDied,
  isUnderWay,
  silentWords,
  statusWord,
  stepLabel,
  stepsSummary,
} from './deployment-words.ts'

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

it('is under way until it has ended, and has died when it went well and there is an error all the same', () => {
  const under = ['queued', 'running', 'completed', 'failed', 'cancelled'].filter((status) =>
    isUnderWay({ status }),
  )
  expect(under).toEqual(['queued', 'running'])
  expect(hasDied({ status: 'completed', errors: ['It ended with code 1.'] })).toBe(true)
  expect(hasDied({ status: 'completed', errors: [] })).toBe(false)
  expect(hasDied({ status: 'failed', errors: ['It ended with code 1.'] })).toBe(false)
})

it('has other words for the steps where nothing takes its place', () => {
  const label = (name: 'check' | 'fetch' | 'drain', type: string, tag: string | null = 'shop:1') =>
    stepLabel(name, { type, data: { tag } })
  expect(label('drain', 'deploy_application')).toBe('Drain the old')
  expect(label('drain', 'stop_application')).toBe('Stop')
  expect(label('check', 'stop_application')).toBe('Check')
  expect(label('fetch', 'deploy_application')).toBe('Fetch the image')
  expect(label('fetch', 'deploy_application', null)).toBe('Fetch the images')
  expect(label('fetch', 'build_application', null)).toBe('Fetch the source')
})

it('says that it is being cancelled until it is', () => {
  expect(statusWord({ status: 'running', cancelling: true })).toBe('Cancelling…')
  expect(statusWord({ status: 'cancelled', cancelling: false })).toBe('Cancelled')
})

it('tells in one line where it stands', () => {
  const time = { error: null, started_at: null, finished_at: null }
  const summary = (
    status: string,
    ...states: ('waiting' | 'completed' | 'running' | 'failed' | 'undone')[]
  ) => {
    const names = ['check', 'fetch', 'start'] as const
    const steps = names.map((name, index) => ({ name, status: states[index] ?? 'waiting', ...time }))
    return stepsSummary({ type: 'deploy_application', data: { tag: 'shop:1' }, status, steps })
  }
  expect(summary('queued')).toBe('3 steps, none of them begun yet')
  expect(summary('running', 'completed', 'running')).toBe('Step 2 of 3: Fetch the image')
  expect(summary('failed', 'completed', 'failed')).toBe('Step 2 of 3 failed: Fetch the image')
  expect(summary('cancelled', 'completed', 'completed', 'undone')).toBe('Step 3 of 3 undone: Start')
  expect(summary('cancelled')).toBe('3 steps, none of them done')
  expect(summary('completed', 'completed', 'completed', 'completed')).toBe('All 3 steps are done')
})

it('says why there is no line in its log', () => {
  const words = (given: { status: string; started_at?: string; deleted?: boolean }) => {
    const { status, started_at = null, deleted = false } = given
    return silentWords({ status, started_at, data: { deleted } })
  }
  expect(words({ status: 'queued' })).toBe('It has not begun yet.')
  expect(words({ status: 'running', started_at: 'noon' })).toBe('Waiting for its first words…')
  expect(words({ status: 'cancelled' })).toBe('It was cancelled before it began.')
  expect(words({ status: 'cancelled', started_at: 'noon' })).toBe('It said nothing.')
  expect(words({ status: 'completed', deleted: true })).toBe('Its log was deleted after 30 days.')
})

it('tells a changed field, and which one where there are several', () => {
  expect(changedField('memory_limit')).toEqual({ label: 'Memory limit', name: '' })
  expect(changedField('labels.com.example.team')).toEqual({ label: 'Label', name: 'com.example.team' })
  expect(changedField('volumes./data')).toEqual({ label: 'Volume at', name: '/data' })
  expect(changedField('brand_new')).toEqual({ label: 'brand_new', name: '' })
})

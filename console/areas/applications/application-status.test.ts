import { expect, it } from 'vitest'
import { applicationStates } from '../../../contract/applications.ts'
import {
  containersLabel,
  isDeploying,
  nextImage,
  roleBadge,
  applicationStateLabel,
  applicationStateTone,
} from './application-status.ts'

it('shows running as green, failed as red and unknown as yellow', () => {
  expect(
    applicationStates.map((state) => [applicationStateLabel(state), applicationStateTone(state)]),
  ).toEqual([
    ['Failed', 'red'],
    ['Crashing', 'red'],
    ['Degraded', 'yellow'],
    ['Unknown', 'yellow'],
    ['Running', 'green'],
    ['Stopped', 'neutral'],
    ['Never deployed', 'neutral'],
  ])
})

it('shows the role of a container only if it is running', () => {
  const word = (
    role: Parameters<typeof roleBadge>[0]['role'],
    state: Parameters<typeof roleBadge>[0]['state'],
    health: 'unhealthy' | null = null,
  ) => roleBadge({ role, state, health }).slice(0, 2)
  expect(word('serving', 'running')).toEqual(['green', 'Live'])
  for (const state of ['exited', 'paused', 'restarting', 'dead'] as const)
    expect(word('serving', state)).toEqual(['red', 'Not running'])
  expect(word('serving', 'running', 'unhealthy')).toEqual(['yellow', 'Unhealthy'])
  expect(word('starting', 'created')).toEqual(['yellow', 'Starting'])
  expect(word('starting', 'exited')).toEqual(['red', 'Not started'])
  expect(word('draining', 'exited')).toEqual(['neutral', 'Exited'])
  expect(word('stopped', 'exited')).toEqual(['neutral', 'Stopped'])
  expect(word('stopped', 'running')).toEqual(['yellow', 'Running'])
  expect(word('left', 'exited')).toEqual(['yellow', 'Orphaned'])
})

it('counts containers only if some are expected', () => {
  const words = (state: Parameters<typeof containersLabel>[0]['state'], wanted: number) =>
    containersLabel({ state, containers: { restarts: 0, running: 0, routed: 0, wanted } })
  expect(words('failed', 2)).toBe('0/2 running')
  expect(words('stopped', 0)).toBe('Stopped')
  expect(words('never_deployed', 0)).toBe('None')
  expect(words('unknown', 2)).toBe('Unknown')
})

it('counts containers that receive traffic', () => {
  const words = (running: number, routed: number) =>
    containersLabel({ state: 'running', containers: { restarts: 0, running, routed, wanted: 3 } })
  expect(words(3, 3)).toBe('3/3 healthy')
  expect(words(3, 0)).toBe('3/3 running')
  expect(words(3, 1)).toBe('3/3 running, 1 receiving traffic')
  expect(words(1, 0)).toBe('1/3 running')
})

it('names the next image only if it differs from the live one', () => {
  const next = (configured: string, running: string | undefined) =>
    nextImage({
      source: { type: 'docker_image', image: configured, services: null, profiles: [], repository: null },
      release:
        running === undefined ? null : { id: 'rel_1', number: 1, image: running, older: false, commit: null },
    })
  expect(next('shop:2', 'shop:1')).toBe('shop:2')
  expect(next('shop:1', 'shop:1')).toBeUndefined()
  expect(next('shop:1', undefined)).toBeUndefined()
})

it('is deploying while its latest deployment is queued or running', () => {
  const latest = {
    id: 'dep_1',
    type: 'deploy_application',
    cancelling: false,
    crashed: false,
    actor: { name: 'Ada' },
    created_at: '2026-11-15T10:00:00.000Z',
  } as const
  const deploying = (status: string) => isDeploying({ deployment: { ...latest, status } })
  expect(['queued', 'running', 'completed', 'failed'].map(deploying)).toEqual([true, true, false, false])
  expect(isDeploying({ deployment: null })).toBe(false)
})

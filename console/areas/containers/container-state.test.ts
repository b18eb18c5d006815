import { expect, it } from 'vitest'
import { containerActions, containerHealths, containerStates } from '../../../contract/containers.ts'
import {
  containerHealthLabel,
  isAlive,
  containerStateLabel,
  pendingLabels,
  containerUrgency,
  actionsForState,
} from './container-state.ts'

it('has a label for every state, health and action', () => {
  const words = containerStates.map((state) => containerStateLabel({ state, exit_code: null })[1])
  expect(words).toEqual(['Restarting', 'Dead', 'Removing', 'Running', 'Paused', 'Created', 'Exited'])
  const healths = containerHealths.map((health) => containerHealthLabel({ state: 'running', health })?.[1])
  expect(healths).toEqual(['Checking health', 'Healthy', 'Unhealthy'])
  expect(Object.keys(pendingLabels)).toEqual([...containerActions])
})

it('distinguishes failed from stopped containers', () => {
  expect(containerStateLabel({ state: 'exited', exit_code: 1 })).toEqual(['red', 'Exited (1)'])
  expect(containerStateLabel({ state: 'exited', exit_code: 0 })).toEqual(['neutral', 'Exited (0)'])
  for (const exit_code of [130, 137, 143])
    expect(containerStateLabel({ state: 'exited', exit_code })).toEqual(['yellow', `Exited (${exit_code})`])
})

it('shows an unknown state as it is', () => {
  expect(containerStateLabel({ state: 'melting', exit_code: null })).toEqual(['yellow', 'Melting'])
})

it('sorts unhealthy containers first', () => {
  const urgencies = (health: 'healthy' | 'unhealthy') =>
    containerStates.map((state) => containerUrgency({ state, health }))
  expect(urgencies('healthy')).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(urgencies('unhealthy')).toEqual([0, 1, 2, -1, -1, 5, 6])
})

it('does not show an exited container as healthy', () => {
  expect(containerHealthLabel({ state: 'exited', health: 'healthy' })).toBeUndefined()
  expect(containerHealthLabel({ state: 'running', health: null })).toBeUndefined()
})

it('offers actions by state', () => {
  expect(actionsForState('running')).not.toContain('start')
  expect(actionsForState('exited')).toEqual(['start', 'rename', 'remove'])
  expect(actionsForState('paused')[0]).toBe('unpause')
  expect(actionsForState('removing')).toEqual([])
  expect(containerStates.filter(isAlive)).toEqual(['restarting', 'running', 'paused'])
})

import { expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { sayEnded, sayOpen } from './say-ended.ts'

const [id, earlier] = [newId('deployment'), newId('deployment')]
const draining = { state: 'draining', drained_by: id } as const

test('what ends is an old container, one that stops, one that was stopped, or one that was left', () => {
  const deploy = { id, type: 'deploy_application' }
  expect(sayEnded(deploy, [draining])).toBe('The old container has ended.')
  expect(sayEnded(deploy, [draining, draining])).toBe('2 old containers have ended.')
  const stop = { id, type: 'stop_application' }
  expect(sayEnded(stop, [draining])).toBe('The container has stopped.')
  expect(sayEnded(stop, [draining, draining])).toBe('2 containers have stopped.')
  const start = { id, type: 'start_application' }
  expect(sayEnded(start, [{ state: 'stopped', drained_by: earlier }])).toBe(
    'The stopped container was removed, as a new one takes its place.',
  )
  expect(sayEnded(start, [{ state: 'draining', drained_by: earlier }])).toBe(
    'A container that an earlier deployment had left has ended.',
  )
})

test('what is waited for is on the old containers only where there are new ones', () => {
  expect(sayOpen({ type: 'stop_application' }, 1, 30)).toBe(
    'Waiting for 1 open request to end before the containers stop, for at most 30 seconds.',
  )
  expect(sayOpen({ type: 'restart_application' }, 2, 1)).toBe(
    'Waiting for 2 open requests on the old containers to end, for at most 1 second.',
  )
})

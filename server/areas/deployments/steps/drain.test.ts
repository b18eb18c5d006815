import { expect, test } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { removedContainersMessage, openRequestsMessage } from './drain.ts'

const [id, earlier] = [newId('deployment'), newId('deployment')]
const draining = { state: 'draining', drained_by: id } as const

test('describes which containers were removed or stopped', () => {
  const deploy = { id, type: 'deploy_application' }
  expect(removedContainersMessage(deploy, [draining])).toBe('Old container drained')
  expect(removedContainersMessage(deploy, [draining, draining])).toBe('2 old containers drained')
  const stop = { id, type: 'stop_application' }
  expect(removedContainersMessage(stop, [draining])).toBe('Container stopped')
  expect(removedContainersMessage(stop, [draining, draining])).toBe('2 containers stopped')
  const start = { id, type: 'start_application' }
  expect(removedContainersMessage(start, [{ state: 'stopped', drained_by: earlier }])).toBe(
    'Removed the stopped container',
  )
  expect(removedContainersMessage(start, [{ state: 'draining', drained_by: earlier }])).toBe(
    'Removed 1 container of an earlier deployment',
  )
})

test('mentions old containers only if there are new ones', () => {
  expect(openRequestsMessage({ type: 'stop_application' }, 1, 30)).toBe(
    'Waiting up to 30 s for 1 open request before the containers stop',
  )
  expect(openRequestsMessage({ type: 'restart_application' }, 2, 1)).toBe(
    'Waiting up to 1 s for 2 open requests on the old containers',
  )
})

import { expect, it } from 'vitest'
import { applicationStates } from '../../../contract/applications.ts'
import { isDeploying, roleWord, stateLabel, stateTone } from './application-words.ts'

it('is green only when it runs, red when it failed, and yellow when nobody can say', () => {
  expect(applicationStates.map((state) => [stateLabel(state), stateTone(state)])).toEqual([
    ['Failed', 'red'],
    ['Degraded', 'yellow'],
    ['Unknown', 'yellow'],
    ['Running', 'green'],
    ['Stopped', 'neutral'],
    ['Never deployed', 'neutral'],
  ])
  expect(roleWord('left')[1]).toBe('Left over')
})

it('is being deployed while its latest deployment waits or goes on', () => {
  const latest = { id: 'dep_1', type: 'deploy_application', created_at: '2026-11-15T10:00:00.000Z' } as const
  const deploying = (status: string) => isDeploying({ deployment: { ...latest, status } })
  expect(['queued', 'running', 'completed', 'failed'].map(deploying)).toEqual([true, true, false, false])
  expect(isDeploying({ deployment: null })).toBe(false)
})

import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/http/api-error.ts'
import { proposedName, readAlert, readPreview } from './alert-body.ts'
import { type AlertDraft, newAlertDraft, withKind, withThreshold } from './alert-draft.ts'

function fieldsAtFault(draft: AlertDraft): string[] {
  try {
    readAlert(draft)
    return []
  } catch (error) {
    if (error instanceof ApiError) return Object.keys(error.fields)
    throw error
  }
}

test('sends a new alert with the defaults and name of its kind', () => {
  expect(readAlert(newAlertDraft('disk'))).toMatchObject({
    kind: 'disk',
    name: 'Disk above 85 %',
    threshold: 85,
    clear_threshold: 80,
    for_seconds: 60,
    window_seconds: null,
    repeat_seconds: null,
    scope: { kind: 'all', id: null, container: null },
    channels: null,
  })
  expect(readAlert(newAlertDraft('server_unreachable'))).toMatchObject({ comparison: null, threshold: null })
  expect(readAlert(newAlertDraft('http_check')).check).toMatchObject({ path: '/', every_seconds: 30 })
  expect(readAlert(newAlertDraft('container_oom')).window_seconds).toBe(600)
  expect(proposedName({ ...newAlertDraft('cpu'), threshold: 'x' })).toBe('CPU')
})

test('reports invalid input at its field and requests no preview', () => {
  const draft = newAlertDraft('container_cpu')
  expect(fieldsAtFault({ ...draft, threshold: 'half' })).toEqual(['threshold'])
  expect(fieldsAtFault({ ...draft, for_seconds: { amount: '', unit: 'minutes' } })).toEqual(['for_seconds'])
  const scope = { kind: 'container' as const, id: '', container: '' }
  expect(fieldsAtFault({ ...draft, scope })).toEqual(['scope.id'])
  expect(fieldsAtFault({ ...draft, scope: { ...scope, id: 'srv_a' } })).toEqual(['scope.container'])
  expect(readPreview({ ...draft, scope })).toBeUndefined()
  expect(readPreview(draft)).toMatchObject({ kind: 'container_cpu', threshold: 90 })
})

describe('the clear threshold', () => {
  test('follows the threshold until it is changed', () => {
    const draft = withThreshold(newAlertDraft('disk'), { threshold: '60' })
    expect(draft.clear_threshold).toBe('55')
    expect(withThreshold(draft, { comparison: 'below' }).clear_threshold).toBe('65')
    const own = withThreshold({ ...draft, clear_threshold: '10' }, { threshold: '70' })
    expect(own.clear_threshold).toBe('10')
  })

  test('resets with the kind, and unsupported scopes are dropped', () => {
    const draft = {
      ...newAlertDraft('cpu'),
      name: 'Mine',
      scope: { kind: 'server' as const, id: 'srv_a', container: '' },
    }
    expect(withKind(draft, 'memory')).toMatchObject({ name: 'Mine', scope: { id: 'srv_a' }, threshold: '90' })
    expect(withKind(draft, 'container_oom').scope.kind).toBe('all')
  })
})

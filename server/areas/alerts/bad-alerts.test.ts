import { afterAll, expect, test } from 'vitest'
import { alertKindNames } from '../../../contract/shared/alert-kinds.ts'
import * as contract from '../../../contract/alerts.ts'
import { newId } from '../../platform/ids.ts'
import { makeAlert } from '../../../test/support/factories/alert-factories.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, refused } = slipway
const { workspace, member } = await makeTeam(db)
const { token } = member
const { workspace: elsewhere } = await makeTeam(db)
const server = await makeServer(ctx, workspace, nowhere())
const deleting = await makeApplication(db, workspace, server, { deleting_at: new Date() })
const theirs = await makeServer(ctx, elsewhere, nowhere())

const weekly = { kind: 'weekly', days: [1], from: '02:00', to: '03:00', timezone: 'UTC' }
const once = { kind: 'once', from: '2026-03-04T12:00:00Z', to: '2026-03-04T13:00:00Z' }
const scope = (kind: string, id: string | null = null, container: string | null = null) => ({
  scope: { kind, id, container },
})

const wrong: [what: object, field: string, sentence: string][] = [
  [{ kind: 'cpu', threshold: null }, 'threshold', 'Is required.'],
  [{ kind: 'cpu', threshold: 101, clear_threshold: null }, 'threshold', 'Must be at most 100 percent.'],
  [{ kind: 'cpu', threshold: -1 }, 'threshold', 'Must be at least 0.'],
  [{ kind: 'cpu', comparison: null }, 'comparison', 'Must be above or below.'],
  [{ kind: 'cpu', clear_threshold: 91 }, 'clear_threshold', 'Must not be above the threshold, 90.'],
  [
    { kind: 'certificate_expiry', clear_threshold: 13 },
    'clear_threshold',
    'Must not be below the threshold, 14.',
  ],
  [{ kind: 'certificate_expiry', threshold: 1.5 }, 'threshold', 'Must be a whole number.'],
  [
    { kind: 'container_oom', comparison: 'below' },
    'comparison',
    'Must be above for this kind of alert (Out of memory).',
  ],
  [
    { kind: 'server_unreachable', threshold: 1 },
    'threshold',
    'Not supported by this kind of alert (Server unreachable).',
  ],
  [{ kind: 'disk', window_seconds: 60 }, 'window_seconds', 'Not supported by this kind of alert (Disk).'],
  [{ kind: 'container_oom', window_seconds: null }, 'window_seconds', 'Is required.'],
  [{ kind: 'disk', check: { path: '/' } }, 'check', 'Not supported by this kind of alert (Disk).'],
  [{ kind: 'http_check', check: { path: 'health' } }, 'check.path', 'Must begin with a slash.'],
  [
    { kind: 'http_check', check: { status: '600' } },
    'check.status',
    'Must be HTTP status codes or classes, such as 200 or 2xx, 3xx.',
  ],
  [{ kind: 'nothing' }, 'kind', `Must be one of ${alertKindNames.join(', ')}.`],
  [{ kind: 'disk', ...scope('application', deleting) }, 'scope.kind', 'Must be one of all, server, project.'],
  [{ kind: 'cpu', ...scope('all', server) }, 'scope.id', 'Must be empty when the scope is all.'],
  [{ kind: 'cpu', ...scope('server') }, 'scope.id', 'Is required.'],
  [
    { kind: 'cpu', ...scope('server', server, 'db') },
    'scope.container',
    'Must be empty unless the scope is container.',
  ],
  [{ kind: 'container_cpu', ...scope('container', server) }, 'scope.container', 'Enter the container name.'],
  [{ kind: 'cpu', ...scope('server', theirs) }, 'scope.id', 'This server does not exist in this workspace.'],
  [
    { kind: 'container_oom', ...scope('container', theirs, 'db') },
    'scope.id',
    'This server does not exist in this workspace.',
  ],
  [
    { kind: 'cpu', ...scope('project', newId('project')) },
    'scope.id',
    'This project does not exist in this workspace.',
  ],
  [
    { kind: 'deployment_failed', ...scope('application', deleting) },
    'scope.id',
    'This application does not exist in this workspace.',
  ],
]

const wrongWindows: [window: object, field: string, sentence: string][] = [
  [{ ...weekly, timezone: 'Mars/Olympus' }, 'timezone', 'Must be a time zone, such as Europe/Berlin or UTC.'],
  [{ ...weekly, to: '02:00' }, 'to', 'Must differ from the start.'],
  [{ ...weekly, from: '24:00' }, 'from', 'Must be a time of day, such as 02:30.'],
  [{ ...weekly, days: [] }, 'days', 'Select at least one day.'],
  [{ ...weekly, days: [7] }, 'days.0', 'Must be a day of the week: 0 for Sunday, 6 for Saturday.'],
  [{ ...once, to: once.from }, 'to', 'Must be after the start.'],
]

test('refuses invalid fields by name and creates nothing', async () => {
  const before = await fingerprint(db)
  for (const [given, field, sentence] of wrong) {
    const { body } = await refused(contract.createAlert, { token, body: { name: 'x', ...given } }, 422)
    expect(body).toEqual({ errors: { [field]: [sentence] } })
    // A preview refuses the same fields.
    expect((await refused(contract.previewAlert, { token, body: given }, 422)).body).toEqual(body)
  }
  for (const [window, field, sentence] of wrongWindows) {
    const given = { kind: 'cpu', name: 'x', windows: [weekly, window] }
    const { body } = await refused(contract.createAlert, { token, body: given }, 422)
    expect(body).toEqual({ errors: { [`windows.1.${field}`]: [sentence] } })
  }
  expect(await fingerprint(db)).toEqual(before)
})

test('validates a change together with the unchanged fields', async () => {
  const id = await makeAlert(db, workspace, { kind: 'cpu', threshold: 90, clear_threshold: 85 })
  const before = await fingerprint(db)
  const change = async (body: object) =>
    (await refused(contract.updateAlert, { token, params: { id }, body }, 422)).body
  expect(await change({ clear_threshold: 95 })).toEqual({
    errors: { clear_threshold: ['Must not be above the threshold, 90.'] },
  })
  expect(await change({ check: {} })).toHaveProperty('errors.check')
  expect(await change({ kind: 'disk' })).toEqual({ errors: { kind: ['Unknown field.'] } })
  expect(await change(scope('server', theirs))).toHaveProperty(['errors', 'scope.id'])
  expect(await fingerprint(db)).toEqual(before)
})

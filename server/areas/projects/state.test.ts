import { expect, test } from 'vitest'
import { computeProjectState, type ProjectParts } from './project.ts'

const parts = (applications: Record<string, string>, servers: Record<string, string> = {}): ProjectParts => ({
  applications: Object.entries(applications).map(([name, state]) => ({
    name,
    state,
  })) as ProjectParts['applications'],
  servers: Object.entries(servers).map(([name, state]) => ({ name, state })) as ProjectParts['servers'],
})

test.each<[string, ProjectParts, ReturnType<typeof computeProjectState>]>([
  ['nothing is empty', parts({}), { state: 'empty', reason: null }],
  ['servers that are well', parts({}, { 'web-1': 'ready' }), { state: 'running', reason: null }],
  [
    'what was never deployed is stopped, whatever its server is',
    parts({ shop: 'never_deployed' }, { 'web-1': 'ready' }),
    { state: 'stopped', reason: null },
  ],
  ['one that runs', parts({ shop: 'running', old: 'stopped' }), { state: 'running', reason: null }],
  [
    'what nobody knows is worse than what runs',
    parts({ shop: 'running', api: 'unknown' }),
    { state: 'unknown', reason: 'The status of api is unknown.' },
  ],
  [
    'a server that is not ready yet',
    parts({ shop: 'running' }, { 'web-1': 'setting_up', 'web-2': 'pending' }),
    { state: 'unknown', reason: 'web-1 is being set up. web-2 has not connected yet.' },
  ],
  [
    'shows the worst state and all members in it',
    parts({ shop: 'degraded', api: 'failed', mail: 'failed' }, { 'web-1': 'unreachable' }),
    { state: 'failed', reason: 'api and mail are not running. web-1 is unreachable.' },
  ],
  [
    'of many only the first are named',
    parts(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'degraded']))),
    { state: 'degraded', reason: 'a, b, c and 2 more are degraded.' },
  ],
])('%s', (_, given, wanted) => {
  expect(computeProjectState(given)).toEqual(wanted)
})

import { expect, test } from 'vitest'
import { composeChanges } from './compose-changes.ts'

const before = `services:
  web:
    image: nginx:1
    command: run --token hunter2
    environment:
      TOKEN: hunter2
      COLOUR: red
    ports: ["8080:80"]
  db:
    image: postgres:16
volumes:
  data: {}
`

test('ignores formatting', () => {
  const after = `# The same, in other words.
x-env: &env {COLOUR: red}
volumes: {data: {}}
services:
  db: {image: "postgres:16"}
  web:
    ports:
      - 8080:80
    environment: {<<: *env, "TOKEN": 'hunter2'}
    command: >-
      run
      --token hunter2
    image: nginx:1
`
  expect(composeChanges(before, after)).toEqual([])
})

test('lists services and keys without values that may be secret', () => {
  const after = before
    .replace('nginx:1', 'nginx:${TAG}')
    .replaceAll('hunter2', 'hunter3')
    .replace('      COLOUR: red\n', '      SIZE: "1"\n')
    .replace('  db:\n    image: postgres:16', '  cache:\n    image: redis:7')
    .replace('data: {}', 'data: {external: true}')
  const changes = composeChanges(before, after)
  expect(changes).toEqual([
    { field: 'services.cache', kind: 'added', from: null, to: 'redis:7' },
    { field: 'services.db', kind: 'removed', from: 'postgres:16', to: null },
    { field: 'services.web.command', kind: 'changed', from: null, to: null },
    { field: 'services.web.environment.COLOUR', kind: 'removed', from: null, to: null },
    { field: 'services.web.environment.SIZE', kind: 'added', from: null, to: null },
    { field: 'services.web.environment.TOKEN', kind: 'changed', from: null, to: null },
    { field: 'services.web.image', kind: 'changed', from: 'nginx:1', to: 'nginx:${TAG}' },
    { field: 'volumes.data', kind: 'changed', from: null, to: null },
  ])
  expect(JSON.stringify(changes)).not.toContain('hunter')
})

test('treats a list of variables and a mapping alike', () => {
  const web = (environment: string) => `services: {web: {image: a, environment: ${environment}}}`
  expect(composeChanges(web('{A: 1, B: "x=y", C: }'), web('[A=1, B=x=y, C]'))).toEqual([])
})

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { imageNamePattern } from '../../../contract/shared/image-name.ts'
import { root } from '../../root.ts'
import { toComposeFile } from '../compose/read/compose-file.ts'
import { toList, toMap, toText } from '../compose/read/untyped.ts'
import { readUninterpolated } from '../compose/read/to-value.ts'
import { readMount, readPort } from '../compose/read/short-forms.ts'
import { readTemplateFolder } from './catalog.ts'
import { checkTemplate, type TemplateFiles } from './check-template.ts'

const catalog = await readTemplateFolder(join(root, 'templates'))

test('contains at least 40 applications', () => {
  expect(catalog.size).toBeGreaterThanOrEqual(40)
  for (const slug of catalog.keys()) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
})

test.each([...catalog])('%s follows the rules of the catalog', (_slug, files) => {
  expect(faultsOf(files)).toEqual([])
})

/** Returns violations of the catalog rules, some of which are allowed in own templates. */
function faultsOf(files: TemplateFiles): string[] {
  const { problems, template } = checkTemplate(files)
  const { top, services } = toComposeFile(readUninterpolated(files.compose), [])
  const used = Object.values(services).flatMap(({ volumes }) => toList(volumes).map(readMount))
  return [
    ...[...problems.template, ...problems.compose].map(({ line, message }) => `${line}: ${message}`),
    ...(template?.host_access ?? []),
    ...(['links', 'memory_bytes', 'notes'] as const).flatMap((key) =>
      isNothing(template?.[key]) ? [`It has no ${key}.`] : [],
    ),
    ...(knownLogIn.exec(template?.notes ?? '') ?? []).map(
      (found) => `Everybody knows how to log in: ${found}.`,
    ),
    ...((template?.inputs ?? []).filter((input) => !input.advanced).length > 3
      ? ['It asks for too much.']
      : []),
    ...(template?.inputs ?? []).flatMap(({ name, type, default: value }) =>
      secretName.test(name) !== (type === 'secret') || (type === 'secret' && value !== null)
        ? [`${name} is a secret that all share, or not taken for one.`]
        : [],
    ),
    ...Object.entries(services).flatMap(([name, service]) => serviceFaults(name, service)),
    ...passwordsIn(files.compose).map((one) => `${one} is a password that all share.`),
    ...used.flatMap(({ type, target }) => (type === 'volume' ? [] : [`${target} has no named volume.`])),
    ...Object.entries(toMap(top['volumes'])).flatMap(([name, given]) =>
      used.some(({ source }) => source === name) && isNothing(given)
        ? []
        : [`The volume ${name} is not its own.`],
    ),
    ...(template?.http && !portsOf(services[template.http.service]).includes(template.http.port)
      ? ['The port of its address is not exposed.']
      : []),
  ]
}

const isNothing = (value: unknown) =>
  value === null || value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)

const secretName = /pass|secret|token|(?:^|_)key(?:_|$)/i
/** Detects notes with a password that is not generated. */
const knownLogIn =
  /everybody knows|(?:default|initial) (?:password|credentials|log-in)|(?:with the passwords?|passwords? (?:is|are)) (?!the\s+variable|in\s+the\s+environment|\$\{)[^\s.]+/i
const passwordsIn = (compose: string) => [...compose.matchAll(/:\/\/\w*:[^@$\s]+@/g)].map(([found]) => found)

const portsOf = (service: Record<string, unknown> | undefined) =>
  toList(service?.['expose']).flatMap((one) => readPort(one)?.target ?? [])

/** Options that reach beyond the application or duplicate Slipway features. */
const unwanted = [
  'build',
  'container_name',
  'network_mode',
  'networks',
  'ports',
  'privileged',
  'profiles',
  'restart',
]

function serviceFaults(name: string, service: Record<string, unknown>): string[] {
  const image = toText(service['image']) ?? ''
  const { test: check, ...times } = toMap(service['healthcheck'])
  return [
    ...unwanted.filter((key) => key in service).map((key) => `${name} has ${key}.`),
    ...(imageNamePattern.test(image) && isExact(image) ? [] : [`${image} can become another one.`]),
    ...(/^CMD(-SHELL)?$/.test(toText(toList(check)[0]) ?? '') && toList(check).length > 1
      ? []
      : [`${name} has no health check.`]),
    ...['interval', 'timeout', 'retries']
      .filter((key) => !(key in times))
      .map((key) => `${name} has no ${key}.`),
    ...Object.entries(toMap(service['environment'])).flatMap(([key, value]) =>
      secretName.test(key) && !/\$\{\w+\}/.test(toText(value) ?? '') ? [`${key} of ${name} is fixed.`] : [],
    ),
  ]
}

/** Images whose versions have two numbers. */
const shortVersions = new Set(['postgres', 'typesense/typesense', 'dpage/pgadmin4'])

/** Checks that a tag names one release, by three numbers or a date. */
function isExact(image: string): boolean {
  const { name = '', tag = '' } = /^(?<name>[^:]+):(?<tag>.+)$/.exec(image)?.groups ?? {}
  return (
    /(?:^|\D)\d+\.\d+\.\d+/.test(tag) ||
    /(?:^|\D)\d{4}-\d{2}-\d{2}/.test(tag) ||
    (shortVersions.has(name) && /^\d+\.\d+(?:-|$)/.test(tag))
  )
}

test.each([
  ['Log in as admin@admin.com with the password password.', true],
  ['Everybody knows that password: change it.', true],
  ['Log in as root; the password is toor.', true],
  ['Log in with the default credentials.', true],
  ['Log in as root. The password is the variable ROOT_PASSWORD of the environment.', false],
  ['Log in as ${USER} with the password ${PASSWORD}.', false],
  ['The passwords are in the environment.', false],
])('%s', (notes, isKnown) => {
  expect(knownLogIn.test(notes)).toBe(isKnown)
})

test('finds violations of the catalog rules', () => {
  const template = [
    'name: Shop\ndescription: Sells.\ncategory: business\nmemory: 1 GB\nhttp: { service: web, port: 80 }\nnotes: Log in as admin with the password admin.\ninputs:',
    ...['A', 'B', 'C', 'D'].map((name) => `  - { name: ${name} }`),
    '  - { name: ADMIN_PASSWORD, type: secret, default: hunter22 }',
  ].join('\n')
  const compose = `
services:
  web:
    image: nginx:1.27
    ports: ['8080:80']
    environment: { A: '\${A}\${B}\${C}\${D}\${ADMIN_PASSWORD}', API_KEY: abc, URL: 'pg://me:pw@db' }
    volumes: ['/data', 'data:/more']
  db:
    image: redis:latest
    privileged: true
    healthcheck: { test: [NONE], interval: 1s, timeout: 1s, retries: 1 }
volumes: { data: { driver: local }, other: {} }
`
  expect(faultsOf({ template, compose })).toEqual([
    expect.stringContaining('Every deployment would use the same secret.'),
    expect.stringContaining('Only an admin can deploy this.'),
    expect.stringContaining('A privileged container has root access to the server.'),
    'It has no links.',
    'Everybody knows how to log in: with the password admin.',
    'It asks for too much.',
    'ADMIN_PASSWORD is a secret that all share, or not taken for one.',
    'web has ports.',
    'nginx:1.27 can become another one.',
    'web has no health check.',
    'web has no interval.',
    'web has no timeout.',
    'web has no retries.',
    'API_KEY of web is fixed.',
    'db has privileged.',
    'redis:latest can become another one.',
    'db has no health check.',
    '://me:pw@ is a password that all share.',
    '/data has no named volume.',
    'The volume data is not its own.',
    'The volume other is not its own.',
    'The port of its address is not exposed.',
  ])
})

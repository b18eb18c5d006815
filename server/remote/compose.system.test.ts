import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readDotenv } from '../../contract/shared/dotenv.ts'
import { variableName } from '../../contract/shared/entries.ts'
import { failureOf, openHosts, targetOf } from '../../test/support/stages/reach.ts'
import { takeHost } from '../../test/support/stages/take-host.ts'
import {
  readComposeConfig,
  type ComposeConfigInput,
  ComposeRejected,
  readBuildxVersion,
  readComposeVersion,
} from './compose.ts'
import { longTest } from '../../test/support/run/campaign.ts'

const server = await takeHost()
const host = openHosts().get(targetOf(server))

const read = (yaml: string, given: Partial<ComposeConfigInput> = {}) =>
  readComposeConfig(host, {
    project: 'shop',
    folder: '/srv/shop',
    files: { 'compose.yaml': yaml },
    env: '',
    profiles: [],
    ...given,
  })

const refused = async (yaml: string, given: Partial<ComposeConfigInput> = {}) => {
  const error = await failureOf(read(yaml, given))
  expect(error).toBeInstanceOf(ComposeRejected)
  return error
}

test('resolves a file from the given input only', async () => {
  await server.exec('sh', '-c', 'mkdir -p /srv/shop && echo "FROM=the server" > /srv/shop/.env')
  const yaml = `
x-base: &base { restart: always }
services:
  web:
    <<: *base
    image: "shop:\${TAG}"
    env_file: deep/web.env
    environment: { PRICE: "5$$", FROM: "\${FROM:-nowhere}", HOME: , PASSWORD: }
    volumes: ["./data:/data", "kept:/kept"]
    secrets: [key]
  worker: { extends: web, build: ./worker, profiles: [batch] }
  debug: { image: debug, profiles: [debug] }
volumes: { kept: {} }
secrets: { key: { environment: PASSWORD } }
`
  const { config, warnings } = await read(yaml, {
    files: { 'compose.yaml': yaml, 'deep/web.env': 'COLOUR=r$$d\n' },
    env: "PASSWORD='it is $ecret'\n",
    profiles: ['batch'],
  })
  expect(config).toMatchObject({
    name: 'shop',
    services: {
      web: {
        image: 'shop:',
        restart: 'always',
        environment: {
          COLOUR: 'r$$d',
          PRICE: '5$$',
          FROM: 'nowhere',
          HOME: null,
          PASSWORD: 'it is $$ecret',
        },
        volumes: [
          { type: 'bind', source: '/srv/shop/data', target: '/data' },
          { type: 'volume', source: 'kept', target: '/kept' },
        ],
      },
      worker: { build: { context: '/srv/shop/worker' }, image: 'shop:', restart: 'always' },
    },
    volumes: { kept: { name: 'shop_kept' } },
    secrets: { key: { environment: 'PASSWORD' } },
  })
  expect(config).not.toHaveProperty('services.debug')
  expect(warnings).toEqual(['The "TAG" variable is not set. Defaulting to a blank string.'])
})

test("keeps Compose's error with its line and without secrets", async () => {
  expect(await refused('services:\n  a:\n\timage: x\n')).toMatchObject({
    message: 'yaml: line 3: found character that cannot start any token',
    line: 3,
  })
  expect(await refused('services: { a: { image: x, imgae: y } }')).toMatchObject({
    message: 'validating compose.yaml: services.a Additional property imgae is not allowed',
    line: undefined,
  })
  expect((await refused('services: { a: { image: "${TAG:?name a tag}" } }')).message).toBe(
    'error while interpolating services.a.image: required variable TAG is missing a value: name a tag',
  )
  expect((await refused('services: { a: { image: x, env_file: gone.env } }')).message).toMatch(
    /^env file gone\.env not found/,
  )
  const broken = await refused('services: { a: { image: x } }', { env: 'A=1\nPASSWORD="hunter2\n' })
  expect(broken.message).toMatch(/^failed to read \.env: line \d: unterminated quoted value$/)
  const outside = { files: { 'compose.yaml': '', '../up': 'x' } }
  expect((await refused('', outside)).message).toContain(
    'is not the path of a file in the application folder',
  )
})

test('reads .env files as Slipway reads them', async () => {
  const key = fc.constantFrom('A', 'B', 'C_1', 'D.e')
  const pieces =
    'x|y z| |#| #| # c|\\n|\\\\|\\"|\\\'|\\$|$A|${B}|${A:-d}|$$|"|\'|\\|=|:|{|}|é|\\x|$|$1|('.split('|')
  const piece = fc.constantFrom('\t', ...pieces)
  const value = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
  const line = fc.oneof(
    fc
      .tuple(fc.constantFrom('', 'export ', '  '), key, fc.constantFrom('=', ' = ', ': '), value)
      .map((parts) => parts.join('')),
    ...['"', "'"].map((quote) =>
      fc
        .tuple(key, value, value)
        .map(([name, a, b]) => `${name}=${quote}${`${a}\n${b}`.replaceAll(quote, '')}${quote} # c`),
    ),
    fc.constantFrom('', '# c', '  # x=1'),
  )
  const text = fc.array(line, { maxLength: 5 }).map((lines) => `${lines.join('\n')}\n`)
  const texts = fc.sample(text, 1000).flatMap((typed) => {
    const { entries, nameless, problems } = readDotenv(typed)
    // Compose replaces references to unknown variables with nothing. The API refuses the other names.
    const isComparable =
      problems.length === 0 &&
      nameless.length === 0 &&
      entries.length > 0 &&
      entries.every(
        ({ key, value, isBare }) => !isBare && variableName.test(key) && !/\$[A-Za-z_{]/.test(value),
      )
    return isComparable
      ? [{ typed, values: Object.fromEntries(entries.map((entry) => [entry.key, entry.value])) }]
      : []
  })
  expect(texts.length).toBeGreaterThan(100)
  const services = texts.map((_, index) => [`s${index}`, { image: 'a', env_file: `${index}.env` }])
  const yaml = JSON.stringify({ services: Object.fromEntries(services) })
  const { config } = await read(yaml, {
    files: {
      'compose.yaml': yaml,
      ...Object.fromEntries(texts.map(({ typed }, index) => [`${index}.env`, typed])),
    },
  })
  const environments = z.object({
    services: z.record(z.string(), z.object({ environment: z.record(z.string(), z.string()) })),
  })
  const { services: resolved } = environments.parse(JSON.parse(JSON.stringify(config).replaceAll('$$', '$')))
  expect(texts.map(({ typed }, index) => [typed, resolved[`s${index}`]?.environment])).toEqual(
    texts.map(({ typed, values }) => [typed, values]),
  )
})

longTest('limits an expanding file and leaves nothing on the server', async () => {
  const levels = Array.from({ length: 9 }, (_, level) => {
    const item = level === 0 ? 'x' : `*l${level - 1}`
    return `x-${level}: &l${level} [${Array.from({ length: 9 }, () => item).join(', ')}]\n`
  })
  const error = await failureOf(read(`${levels.join('')}services: { a: { image: x } }\n`))
  expect(error.message).toMatch(/^(Docker Compose used too much time or memory|The command took longer)/)
  await vi.waitFor(async () =>
    expect(await server.exec('sh', '-c', 'ls -d /tmp/slipway-compose-* || true')).toBe(''),
  )
})

test('reports the Compose version, or that it is missing', async () => {
  expect(await readComposeVersion(host)).toMatch(/^2\.\d+\.\d+/)
  expect(await readBuildxVersion(host)).toMatch(/^0\.\d+\.\d+/)
  await server.exec('umount', '/usr/local/lib/docker/cli-plugins')
  expect([await readComposeVersion(host), await readBuildxVersion(host)]).toEqual([null, null])
  const error = await failureOf(read('services: { a: { image: x } }'))
  expect(error.message).toBe(
    'Docker Compose is not installed on this server. Install it, or run setup again.',
  )
})

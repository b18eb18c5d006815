import { afterAll, expect, test } from 'vitest'
import { createApplication } from '../../../contract/applications.ts'
import { createProject, replaceProjectVariables } from '../../../contract/projects.ts'
import { draftTemplate } from '../../../contract/templates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { checkTemplate } from './check-template.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
const { token } = team.member
const server = await makeServer(ctx, team.workspace, { ...nowhere(), address: '192.0.2.9' })

async function draftOf(given: object) {
  const body = { name: 'Shop', server_id: server, ...given }
  const { application } = await slipway.ok(createApplication, { token, body })
  const { files } = await slipway.ok(draftTemplate, { token, params: { id: application.id } })
  const { problems, template } = checkTemplate(files)
  expect(problems).toEqual({ template: [], compose: [] })
  return { ...files, known: template }
}

test('keeps the structure of a compose file and turns secrets and local values into inputs', async () => {
  const compose = `# PASSWORD=old
x-common: &common
  SECRET_KEY: 0123456789abcdef0123456789abcdef
services:
  web:
    image: shop:1.2.3 # as before
    expose: ["8000"]
    environment:
      <<: *common
      BASE: https://shop.example.com:8443/a
      TAG: \${TAG:-latest}
      EMPTY: \${EMPTY}
      PLAN: \${PLAN}
  db:
    image: postgres:17.2
    profiles: [data]
    environment:
      - POSTGRES_PASSWORD=hunter22
      - SECRET_KEY=other-secret
  worker:
    image: shop:1.2.3
    command: run --password hunter22
  debug:
    image: shop:1.2.3
    profiles: [never]
`
  const drafted = await draftOf({
    source: { type: 'compose', compose, profiles: ['data'] },
    env: 'PLAN=a$b\nUNUSED=1\nSTRIPE_API_KEY=sk_1\nHOST=shop.example.com',
    domains: [{ service: 'web', host: 'shop.example.com', port: 8000 }],
    generated_address: false,
  })
  expect(drafted.compose).not.toContain('#')
  expect(drafted.compose).toContain('SECRET_KEY: "${SECRET_KEY}"')
  expect(drafted.compose).toContain('SECRET_KEY=${DB_SECRET_KEY}')
  expect(drafted.compose).toContain('"run --password ${POSTGRES_PASSWORD}"')
  expect(drafted.compose).toContain('"${HOST_URL}/a"')
  expect(drafted.compose).not.toMatch(/hunter22|shop\.example|never|profiles/)
  const inputs = Object.fromEntries((drafted.known?.inputs ?? []).map((one) => [one.name, one]))
  expect(inputs).toMatchObject({
    PLAN: { default: 'a$$b', required: false },
    EMPTY: { default: null, required: false },
    SECRET_KEY: { type: 'secret', generate: { kind: 'hex', length: 16 } },
    DB_SECRET_KEY: { generate: { kind: 'password' } },
    POSTGRES_PASSWORD: { generate: { kind: 'password', length: 24 } },
    HOST: { type: 'domain' },
  })
  expect(Object.keys(inputs)).toHaveLength(6)
  expect(drafted.known?.http).toEqual({ service: 'web', port: 8000 })
})

test('leaves no secret in a compose file, in any notation', async () => {
  const { compose, known } = await draftOf({
    source: {
      type: 'compose',
      compose: `services:
  db:
    image: postgres:17.2
    environment:
      POSTGRES_PASSWORD: p4$$w0rd-1
      SHORT_SECRET: geheim
      MIXED_KEY: hunter22-\${TAG}
      JOINED_TOKEN: \${TAG}:\${OTHER_PASSWORD}
      FROM: \${OTHER_PASSWORD:-hunter23}
      NEEDED_SECRET: \${GIVEN_PASSWORD:?is needed}
      OWN_URL: postgres://me:p4$$w0rd-1@db/a
      SHORT_URL: postgres://me:geheim@db/b
      FAR_URL: postgres://me:elsewhere@far.example/c
      HARMLESS: \${TAG:-latest}
    command: run --pass \${OTHER_PASSWORD:-hunter24} --key p4$$w0rd-1
    labels: { from: "https://me:elsewhere@far.example" }
`,
    },
    env: [
      { key: 'TAG', value: 'one' },
      { key: 'NAMED_SECRET', value: 'POSTGRES_PASSWORD' },
      { key: 'GIVEN_PASSWORD', value: 'given' },
    ],
    generated_address: false,
  })
  expect(compose).not.toMatch(/w0rd|geheim|hunter|elsewhere/)
  expect(compose).toContain('OWN_URL: "postgres://me:${POSTGRES_PASSWORD}@db/a"')
  expect(compose).toContain('SHORT_URL: "postgres://me:${SHORT_SECRET}@db/b"')
  expect(compose).toContain('FAR_URL: "${FAR_URL}"')
  expect(compose).toContain('JOINED_TOKEN: ${TAG}:${OTHER_PASSWORD}')
  expect(compose).toContain('HARMLESS: ${TAG:-latest}')
  expect(compose).toContain('run --pass ${OTHER_PASSWORD} --key ${POSTGRES_PASSWORD}')
  const inputs = Object.fromEntries((known?.inputs ?? []).map((one) => [one.name, one]))
  expect(Object.keys(inputs).toSorted()).toEqual([
    'ADDRESS',
    'FAR_URL',
    'GIVEN_PASSWORD',
    'MIXED_KEY',
    'OTHER_PASSWORD',
    'POSTGRES_PASSWORD',
    'SHORT_SECRET',
    'TAG',
  ])
  expect(inputs['FAR_URL']).toMatchObject({ type: 'secret', generate: null, default: null, advanced: false })
  expect(inputs['OTHER_PASSWORD']).toMatchObject({ type: 'secret', generate: { kind: 'password' } })
})

test('replaces secrets in command and labels of an image with uniquely named inputs', async () => {
  const { compose, known } = await draftOf({
    source: { type: 'docker_image', image: 'redis:7.4.1' },
    env: [
      { key: 'A_B', value: '1' },
      { key: 'A-B', value: '2' },
      { key: 'COMPOSE_X', value: '3' },
      { key: 'APP_PASSWORD', value: 'open$sesame' },
      { key: 'NAMED_SECRET', value: 'APP_PASSWORD' },
    ],
    command: ['redis-server', '--requirepass', 'open$sesame', 'redis://:sesame$2@far.example'],
    labels: [{ key: 'auth', value: 'me:open$sesame' }],
    generated_address: false,
  })
  expect(compose).not.toContain('sesame')
  expect(compose).toContain('- ${APP_PASSWORD}')
  expect(compose).toContain('auth: me:${APP_PASSWORD}')
  expect(compose).toContain('A-B: ${A_B_2}')
  expect(known?.inputs.map(({ name, default: value }) => [name, value])).toEqual([
    ['A_B', '1'],
    ['A_B_2', '2'],
    ['APP_COMPOSE_X', '3'],
    ['APP_PASSWORD', null],
    ['NAMED_SECRET', null],
    ['ADDRESS', null],
  ])
})

test('drafts an image as a file with one service', async () => {
  const { compose, known } = await draftOf({
    name: 'Blog',
    source: { type: 'docker_image', image: 'ghost:5.96.0' },
    port: 2368,
    env: [
      { key: 'url', value: 'http://blog.192-0-2-9.sslip.io/blog' },
      { key: 'mail__from', value: 'ada@example.com' },
      { key: 'smtp.token', value: 'abc' },
      { key: 'API_TOKEN', value: 'from-elsewhere' },
      { key: 'DB', value: 'mysql://ghost:open-sesame@db/ghost' },
      { key: 'WORKERS', value: '4' },
      { key: 'ADMIN_PASSWORD', value: 'open-sesame' },
    ],
    volumes: [{ source: 'content', target: '/var/lib/ghost/content' }],
    command: ['run', '$HOME'],
    memory_limit: 512 * 1024 * 1024,
    cpu_limit: 0.5,
    replicas: 2,
  })
  expect(compose).not.toMatch(/open-sesame|from-elsewhere|sslip/)
  expect(compose).toContain('- $$HOME')
  expect(known).toMatchObject({
    name: 'Blog',
    memory_bytes: 512 * 1024 * 1024,
    http: { service: 'app', port: 2368 },
    services: ['app'],
  })
  expect(known?.inputs).toMatchObject([
    { name: 'url', default: '${DOMAIN_URL}/blog' },
    { name: 'mail__from', type: 'email', default: 'ada@example.com' },
    { name: 'smtp_token', type: 'secret', default: null, advanced: false },
    { name: 'API_TOKEN', type: 'secret', default: null, generate: null, advanced: false },
    { name: 'DB', default: 'mysql://ghost:${ADMIN_PASSWORD}@db/ghost' },
    { name: 'WORKERS', type: 'number', default: '4' },
    { name: 'ADMIN_PASSWORD', type: 'secret', generate: { kind: 'password' } },
    { name: 'DOMAIN', type: 'domain' },
  ])
})

test('drafts none from an application of another workspace or one that is built', async () => {
  const other = await makeTeam(db)
  const id = await makeApplication(db, team.workspace, server)
  await slipway.refused(draftTemplate, { token: other.owner.token, params: { id } }, 404)
  await slipway.refused(draftTemplate, { token: team.viewer.token, params: { id } }, 403)
  const built = await makeApplication(db, team.workspace, server, { source_type: 'github', image: null })
  await slipway.refused(draftTemplate, { token, params: { id: built } }, 409)
})

test('turns project variables into inputs without their values', async () => {
  const { project } = await slipway.ok(createProject, { token, body: { name: 'Docks' } })
  const body = { env: 'SHARED=from-the-project\nOWN=other' }
  await slipway.ok(replaceProjectVariables, { token, params: { id: project.id }, body })
  const compose = 'services: { web: { image: "shop:1.2.3", environment: ["A=${SHARED}", "B=${OWN}"] } }'
  const { template, known } = await draftOf({
    source: { type: 'compose', compose },
    env: 'OWN=its-own',
    project_id: project.id,
  })
  expect(template).not.toContain('from-the-project')
  expect(known?.inputs.map(({ name, default: preset, required }) => [name, preset, required])).toEqual([
    ['SHARED', null, true],
    ['OWN', 'its-own', false],
  ])
})

import { expect, test, vi } from 'vitest'
import { listVariables } from '../../../contract/application-entries.ts'
import { getApplication } from '../../../contract/applications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/templates.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { checkTemplate, type TemplateFiles } from './check-template.ts'

vi.setConfig({ testTimeout: 300_000 })
const { slipway, server, token, ended, visit } = await openShopStage('1')
slipway.work()

const template = `name: Harbour
description: Three services that need each other.
category: other
http: { service: web, port: 3000 }
inputs:
  - { name: MARK, label: Mark }
  - { name: PASSWORD, generate: password }
  - { name: SITE, label: Address, generate: domain }
notes: Open \${SITE_URL} and look for \${MARK}.
`
const compose = `
x-health: &health
  interval: 1s
  test: [CMD, node, -e, "fetch('http://127.0.0.1:3000/healthz')"]
services:
  web:
    image: rig/app:1
    environment:
      VERSION: "\${MARK} \${PASSWORD} \${SITE_URL}"
    healthcheck: *health
    depends_on: { api: { condition: service_healthy } }
  api:
    image: rig/app:1
    environment:
      DATABASE_URL: postgres://shop:a-literal-secret@db/shop
    healthcheck: *health
    depends_on: { db: { condition: service_started } }
  db:
    image: rig/app:1
    environment: [ "DB_PASSWORD=a-literal-secret" ]
    volumes: [ "data:/data" ]
volumes: { data: {} }
`

/** Creates and deploys a template, and waits until it is running. */
async function run(files: TemplateFiles, inputs: Record<string, string>, name: string) {
  const made = await slipway.ok(contract.createTemplate, { token, body: files })
  const { application, deployment, notes } = await slipway.ok(contract.deployTemplate, {
    token,
    params: { id: made.template.id },
    body: { server_id: server, inputs, name },
  })
  const done = await ended(deployment.id, 120_000)
  expect(done.errors).toEqual([])
  expect(done.status).toBe('completed')
  const values = await valuesOf(application.id)
  const address = `http://${values['SITE']}`
  expect(await visit(values['SITE'] ?? '')).toContain(
    `${values['MARK']} ${values['PASSWORD']} ${values['SITE_URL']}`,
  )
  await vi.waitFor(
    async () => {
      const at = { token, params: { id: application.id } }
      const { application: now } = await slipway.ok(getApplication, at)
      expect(now).toMatchObject({ state: 'running', containers: { running: 3, wanted: 3 } })
      expect(now.address).toContain(address)
    },
    { timeout: 60_000 },
  )
  return { id: application.id, values, notes }
}

async function valuesOf(id: Id<'application'>): Promise<Record<string, string | null>> {
  const { env } = await slipway.ok(listVariables, { token, params: { id }, query: { values: 'true' } })
  return Object.fromEntries(env.map(({ key, value }) => [key, value]))
}

test('deploys a template with secrets, health check and domain, and one drafted from it', async () => {
  const first = await run({ template, compose }, { MARK: 'lighthouse' }, 'Harbour')
  expect(first.notes).toBe(`Open ${first.values['SITE_URL']} and look for lighthouse.`)
  const { files } = await slipway.ok(contract.draftTemplate, { token, params: { id: first.id } })
  const both = `${files.template}${files.compose}`
  for (const own of [first.values['PASSWORD'], first.values['SITE'], 'a-literal-secret'])
    expect(both).not.toContain(own)
  expect(checkTemplate(files).problems.template).toEqual([])
  const second = await run(files, {}, 'Another')
  expect(second.values).toMatchObject({
    MARK: 'lighthouse',
    DB_PASSWORD: expect.stringMatching(/^\w{24}$/),
  })
  expect(second.values['PASSWORD']).not.toBe(first.values['PASSWORD'])
  expect(second.values['SITE']).not.toBe(first.values['SITE'])
})

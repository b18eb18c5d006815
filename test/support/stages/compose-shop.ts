import { expect, vi } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import { newId } from '../../../server/platform/ids.ts'
import { unique } from '../factories/factories.ts'
import type { openFaultStage } from './fault-stage.ts'
import type { Moment } from './watch-steps.ts'

/**
 * `data` writes to its volume, so it must stop before its successor starts; the others roll. Each depends on the
 * previous one and takes seconds to become healthy.
 */
const file = `
x-app: &app
  image: rig/app:1
  healthcheck: { test: [CMD, node, -e, ''], interval: 2s }
services:
  data:
    <<: *app
    environment: { VERSION: $DATA }
    volumes: ['data:/data']
  side:
    <<: *app
    environment: { VERSION: $SIDE }
    depends_on: { data: { condition: service_healthy } }
  web:
    <<: *app
    environment: { VERSION: $WEB, EXIT_AFTER_MS: $WEB_ENDS_AFTER }
    depends_on: { side: { condition: service_healthy } }
volumes: { data: {} }
`

const services = ['data', 'side', 'web'] as const
export type Versions = Record<(typeof services)[number], string>

/** Minimum duration of each step in milliseconds, including the rollback. */
export const lengths: Record<Moment, number> = {
  check: 300,
  fetch: 100,
  start: 3_000,
  wait: 500,
  switch: 200,
  drain: 200,
  prune: 50,
  undo: 500,
}

/** A compose application with a domain per service. */
export async function openComposeShop(stage: Awaited<ReturnType<typeof openFaultStage>>) {
  const { slipway, workspace, token, host } = stage
  const id = await stage.makeShop(undefined, { drain_seconds: 10 })
  await stage.setFile(id, file, [...services])
  const name = unique('compose')
  const addressOf = (service: keyof Versions) => `${service}.${name}.test`
  const domains = services.map((service) => ({
    id: newId('domain'),
    workspace_id: workspace,
    application_id: id,
    service,
    host: addressOf(service),
    path: '/',
    port: 3000,
    https: false,
  }))
  await slipway.db.insertInto('domains').values(domains).execute()

  /** Live container per service with its state. Fails on others. */
  async function containers(): Promise<Versions> {
    const instances = await stage.instancesOf(id)
    expect(instances.map(({ service }) => service).toSorted()).toEqual([...services])
    for (const one of instances) expect(one).toMatchObject({ state: 'serving', drain_until: null })
    const names = await stage.containersOf(id)
    expect(names).toHaveLength(services.length)
    expect(names.filter((one) => one.includes('-held-'))).toEqual([])
    const found: Versions = { data: '', side: '', web: '' }
    for (const service of services) {
      const container = instances.find((one) => one.service === service)?.container_id ?? ''
      found[service] = await host.exec(
        'docker',
        'inspect',
        '--format',
        '{{.Id}} {{.State.Status}} {{.HostConfig.RestartPolicy.Name}}',
        container,
      )
      expect(found[service]).toMatch(/ running \w+\n?$/)
    }
    return found
  }

  return {
    id,
    addressOf,
    containers,
    setVersions: ({ data, side, web }: Versions, more: Record<string, string> = {}) =>
      stage.setEnv(id, { DATA: data, SIDE: side, WEB: web, WEB_ENDS_AFTER: '', ...more }),
    /** Waits until these versions are live without leftovers. */
    untilServed: (versions: Versions, timeout = 120_000) =>
      vi.waitFor(
        async () => {
          for (const service of services)
            expect(await stage.visit(addressOf(service))).toContain(`${versions[service]} `)
          const found = await containers()
          const { application } = await slipway.ok(getApplication, { token, params: { id } })
          expect(application).toMatchObject({ state: 'running', reason: null })
          expect(
            await slipway.db
              .selectFrom('releases')
              .select('number')
              .where('application_id', '=', id)
              .where('live_at', 'is', null)
              .execute(),
          ).toEqual([])
          return found
        },
        { timeout, interval: 200 },
      ),
  }
}

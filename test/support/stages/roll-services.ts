import { expect, vi } from 'vitest'
import { type Load, startLoad } from '../clients/load.ts'
import type { RigServer } from '../rig/server.ts'

/** Three rolling services with domains. Their versions are variables. */
export const rolledFile = `
x-app: &app { image: 'rig/app:1', labels: { tier: web } }
services:
  web: { <<: *app, environment: { VERSION: $WEB } }
  api: { <<: *app, environment: { VERSION: $API } }
  docs: { <<: *app, environment: { VERSION: $DOCS } }
`
export const rolledServices = ['web', 'api', 'docs'] as const
type Service = (typeof rolledServices)[number]

interface Rolling {
  host: Pick<RigServer, 'exec' | 'address'>
  application: string
  addressOf: (service: Service) => string
  /** Resolves when all clients get these versions. */
  deploy: (versions: Record<Service, string>, loads: Record<Service, Load>) => Promise<void>
}

interface Clients {
  keepAlive: number
  fresh: number
  pauseMs: number
}

/** Deploys repeatedly with one changed service, while clients request all three. */
export async function rollServices(
  { host, application, addressOf, deploy }: Rolling,
  deployments: number,
  clients: Clients,
) {
  const load = (service: Service) =>
    startLoad({ address: host.address, host: addressOf(service), ...clients })
  const loads = { web: load('web'), api: load('api'), docs: load('docs') }
  const versions = { web: '0', api: '0', docs: '0' }
  /** Services that were replaced without a change. */
  const touched: string[] = []
  for (const { result } of Object.values(loads))
    await vi.waitFor(() => expect(result.versions).toEqual(['0']))
  let before = await listContainers(host, application)
  for (let nth = 1; nth <= deployments; nth++) {
    const changed = rolledServices[nth % rolledServices.length] ?? 'web'
    versions[changed] = String(nth)
    await deploy(versions, loads)
    const after = await listContainers(host, application)
    for (const service of rolledServices)
      if (service !== changed && !before.get(service)?.some((id) => after.get(service)?.includes(id)))
        touched.push(`${service} in deployment ${nth}`)
    before = after
  }
  const results = await Promise.all(rolledServices.map((service) => loads[service].stop()))
  return {
    failures: results.flatMap((one) => one.failures),
    /** Responses by kind. */
    done: (kind: string) => results.reduce((sum, one) => sum + (one.done[kind] ?? 0), 0),
    /** Versions per service; the first is the initial one. */
    versions: results.map((one) => one.versions.length),
    touched,
  }
}

/** Running container IDs by service. */
async function listContainers(host: Pick<RigServer, 'exec'>, application: string) {
  const filter = `label=slipway.application=${application}`
  const format = '{{.Label "slipway.service"}} {{.ID}}'
  const lines = await host.exec('docker', 'ps', '--format', format, '--filter', filter)
  const found = new Map<string, string[]>()
  for (const line of lines.split('\n').filter(Boolean)) {
    const [service = '', id = ''] = line.split(' ')
    found.set(service, [...(found.get(service) ?? []), id])
  }
  return found
}

import { afterAll } from 'vitest'
import * as contract from '../../../contract/domains.ts'
import { toTxtRecord } from '../../../server/areas/applications/hosts/host-names.ts'
import { jobs } from '../../../server/areas/domains/area.ts'
import { makeApplication } from '../factories/application-factories.ts'
import { startSlipway } from '../stages/context.ts'
import { makeServer, makeTeam, nowhere, unique } from '../factories/factories.ts'
import { startDns } from '../programs/pebble.ts'

export const newHost = () => `${unique('www')}.example.com`

const signal = new AbortController().signal
/** Job context for direct calls. */
export const run = { id: 'job_1', attempt: 1, fence: 1, signal, assertLease: async () => {} } as const

/** Slipway with its own DNS and workspaces; ends with the file. */
export async function startNames(env: Record<string, string> = {}) {
  const dns = await startDns()
  const slipway = await startSlipway({
    DNS_SERVER: dns.address,
    PUBLIC_URL: 'https://console.example.com',
    ...env,
  })
  afterAll(() => slipway.close())
  const { ctx, db } = slipway

  async function makeStage(given: Parameters<typeof makeServer>[3] = {}) {
    const team = await makeTeam(db)
    const server = await makeServer(ctx, team.workspace, nowhere(), given)
    const id = await makeApplication(db, team.workspace, server)
    const { token } = team.admin
    const asked = (host: string, more: object = {}) => ({ token, params: { id }, body: { host, ...more } })
    return {
      ...team,
      server,
      id,
      token,
      asked,
      add: async (host: string, more: object = {}) =>
        (await slipway.ok(contract.createDomain, asked(host, more))).domain,
      refused: async (host: string, code = 'host_taken') =>
        (await slipway.refused(contract.createDomain, asked(host), 409, code)).body,
      list: async () => (await slipway.ok(contract.listDomains, { token, params: { id } })).domains,
      at: (domain_id: string) => ({ token, params: { id, domain_id } }),
      prove: (host: string) => dns.write(`_slipway.${host}`, toTxtRecord(team.workspace, host).value),
    }
  }

  const rowOf = (host: string) =>
    db.selectFrom('host_names').selectAll().where('host', '=', host).executeTakeFirst()
  return {
    dns,
    slipway,
    makeStage,
    rowOf,
    holderOf: async (host: string) => (await rowOf(host))?.workspace_id,
    work: (kind: string, payload: object = {}) =>
      jobs.find((job) => job.kind === kind)?.handle(ctx, payload, run),
  }
}

import { expect, vi } from 'vitest'
import * as contract from '../../../contract/containers.ts'
import type { TestSlipway } from './context.ts'
import { makeServer, makeTeam, type TestHost } from '../factories/factories.ts'

/** A team with a server to operate containers on. */
export async function openContainerStage(slipway: TestSlipway, host: TestHost) {
  const team = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, team.workspace, host)
  const { token } = team.admin

  const list = (query: Record<string, string> = {}) =>
    slipway.ok(contract.listContainers, { token, params: { id: server }, query: { limit: '200', ...query } })

  const named = async (name: string) =>
    (await list()).containers.find((container) => container.name === name) ?? null

  /** Null waits until the container is gone. */
  const shows = (name: string, wanted: object | null) =>
    vi.waitFor(
      async () => {
        const found = await named(name)
        if (wanted === null) expect(found).toBeNull()
        else expect(found).toMatchObject(wanted)
        return found
      },
      { interval: 20 },
    )

  const isLive = async () => {
    const { containers_live } = await slipway.db
      .selectFrom('servers')
      .select('containers_live')
      .where('id', '=', server)
      .executeTakeFirstOrThrow()
    return containers_live
  }

  /** Waits until the rows are live. */
  const untilLive = (live = true) =>
    vi.waitFor(async () => expect(await isLive()).toBe(live), { interval: 20 })

  const act = (cid: string, body: { action: string; [option: string]: unknown }, who = token) =>
    slipway.call(contract.actOnContainer.key, { token: who, params: { id: server, cid }, body })

  return { slipway, team, server, token, list, named, shows, isLive, untilLive, act }
}

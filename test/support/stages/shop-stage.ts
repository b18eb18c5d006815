import { afterAll } from 'vitest'
import { loadBusybox } from './containers.ts'
import { startSlipway } from './context.ts'
import { startDeployer, startShops } from './deployments.ts'
import { makeServer, makeTeam, type TestHost } from '../factories/factories.ts'
import { loadApp } from '../rig/load-app.ts'
import type { RigServer } from '../rig/server.ts'
import { takeSetUpHost } from './setups.ts'
import { takeHost } from './take-host.ts'

/** A server with a proxy and rig/app, and Slipway; tests start the workers. */
export async function openShopStage(...versions: string[]) {
  const host = await takeSetUpHost()
  await loadApp(host, ...versions)
  return openStage(host, { PROXY_IMAGE: host.image.name })
}

/** Without a proxy, with rig/busybox. */
export async function openSmallStage(env: Record<string, string> = {}) {
  const host = await takeHost()
  await loadBusybox(host)
  return openStage(host, env)
}

async function openStage<Host extends RigServer & TestHost>(host: Host, env: Record<string, string> = {}) {
  const slipway = await startSlipway(env)
  afterAll(() => slipway.close())
  const { ctx, db } = slipway
  const { workspace, ...people } = await makeTeam(db)
  const server = await makeServer(ctx, workspace, host)
  return {
    host,
    slipway,
    ctx,
    db,
    workspace,
    server,
    ...people,
    token: people.member.token,
    ...startDeployer(slipway, people.member.token),
    ...startShops(slipway, { workspace, server, host }),
  }
}

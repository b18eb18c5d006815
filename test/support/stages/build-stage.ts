import { afterAll } from 'vitest'
import { createApplication } from '../../../contract/applications.ts'
import { deployApplication } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { releaseRepository } from '../../../server/areas/applications/release.ts'
import { loadBusybox } from './containers.ts'
import { startSlipway } from './context.ts'
import { readRevision, startDeployer, startShops } from './deployments.ts'
import { makeIntegration, makeServer, makeTeam, unique } from '../factories/factories.ts'
import { startFakeGitHub } from '../fakes/github.ts'
import { takeHost } from './take-host.ts'

type Files = Parameters<Awaited<ReturnType<typeof startFakeGitHub>>['addRepository']>[1]
type Settings = Record<string, unknown>

/** A server with access to a fake GitHub whose account is connected. */
export async function openBuildStage(env: Record<string, string> = {}) {
  const host = await takeHost()
  await loadBusybox(host)
  const github = await startFakeGitHub(undefined, { host: host.machine })
  const slipway = await startSlipway({ ...github.appEnv, ...env })
  afterAll(async () => {
    await slipway.close()
    await github.close()
  })
  const { workspace, admin, member } = await makeTeam(slipway.db)
  const server = await makeServer(slipway.ctx, workspace, host)
  github.addAccount('octocat')
  const installation = github.installApp('octocat', 'all')
  const integration = await makeIntegration(slipway.db, workspace, installation)
  const { token } = admin
  const lines = async (script: string, ...args: string[]) =>
    (await host.exec('sh', '-c', script, 'sh', ...args)).trim().split('\n').filter(Boolean)

  return {
    host,
    github,
    slipway,
    workspace,
    server,
    installation,
    integration,
    token,
    member,
    ...startDeployer(slipway, token),
    ...startShops(slipway, { workspace, server, host }),
    lines,
    /** An application of a new repository. */
    makeBuilt: async (files: Files, settings: Settings = {}, more: Settings = {}) => {
      const repository = `octocat/${unique('hello')}`
      await github.addRepository(repository, files)
      const body = {
        name: unique('shop'),
        server_id: server,
        source: { type: 'github', integration_id: integration, repository, branch: 'main', ...settings },
        health: { type: 'none', path: '/', within_seconds: 60 },
        stop_grace_seconds: 1,
        generated_address: false,
        ...more,
      }
      const { application } = await slipway.ok(createApplication, { token, body })
      return { repository, id: application.id }
    },
    rebuild: async (id: Id<'application'>) => {
      const body = { rebuild: true, revision: await readRevision(slipway, id) }
      return (await slipway.ok(deployApplication, { token, params: { id }, body })).deployment
    },
    /** Leftovers on the server. */
    left: async (id: Id<'application'>) => ({
      work: await lines('ls ~/.slipway/work 2>/dev/null || true'),
      folders: await lines('ls "/var/lib/slipway/sources/$1" 2>/dev/null || true', id),
      tags: await lines('docker images --format "{{.Tag}}" "$1"', releaseRepository(id)),
      groups: await lines('find /sys/fs/cgroup -type d -path "*slipway-builds/*" 2>/dev/null || true'),
    }),
  }
}

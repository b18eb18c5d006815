import { afterAll, expect, test } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import { listChanges } from '../../../contract/releases.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { createProject, updateProject } from '../../../contract/projects.ts'
import { deployTemplate } from '../../../contract/templates.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { startDeployer, startShops } from '../../../test/support/stages/deployments.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { languageImage } from '../../../test/support/rig/languages.ts'
import { takeSetUpHost } from '../../../test/support/stages/setups.ts'
import { toComposeFile } from '../compose/read/compose-file.ts'
import { toText } from '../compose/read/untyped.ts'
import { readUninterpolated } from '../compose/read/to-value.ts'
import { readCatalog } from './catalog.ts'

const host = await takeSetUpHost()
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
const { workspace, member } = await makeTeam(slipway.db)
const server = await makeServer(slipway.ctx, workspace, host)
slipway.work()
const { token } = member
const { ended } = startDeployer(slipway, token)
const { containersOf, visit } = startShops(slipway, { workspace, server, host })

/** Serves a page like the image of IT Tools. */
const page = `echo 'server { listen 80; root /www; }' > /etc/nginx/conf.d/default.conf
mkdir /www && echo 'IT Tools' > /www/index.html && exec nginx -g 'daemon off;'`

/** Templates with one service, each with the Debian package that replaces its image. */
const made: [string, ...Parameters<typeof languageImage>][] = [
  ['redis', 'redis'],
  ['memcached', 'memcached'],
  ['postgresql', 'postgres'],
  ['it-tools', 'nginx', `CMD ${JSON.stringify(['sh', '-euc', page])}`],
]

/** Builds an image on the server under the name in the template. */
async function provide(slug: string, ...of: Parameters<typeof languageImage>): Promise<void> {
  const compose = (await readCatalog()).get(`tpl_${slug}`)?.files.compose ?? ''
  const [service] = Object.values(toComposeFile(readUninterpolated(compose), []).services)
  await host.loadImage({ ...(await languageImage(...of)), name: toText(service?.['image']) ?? '' })
}

for (const one of made) await provide(...one)

/** Runs a command in the only container of an application. */
async function inside(application: Id<'application'>, ...command: string[]): Promise<string> {
  const [container = ''] = await containersOf(application)
  return host.exec('docker', 'exec', container, ...command)
}

test(
  'deploys the templates whose images can be built here, healthy and unchanged',
  { timeout: 180_000 },
  async () => {
    const { project } = await slipway.ok(createProject, { token, body: { name: 'Harbour' } })
    await slipway.ok(updateProject, { token, params: { id: project.id }, body: { network: true } })
    const body = { server_id: server, project_id: project.id }
    const begun = await Promise.all(
      made.map(([slug]) => slipway.ok(deployTemplate, { token, params: { id: `tpl_${slug}` }, body })),
    )
    for (const { deployment, application } of begun) {
      expect(await ended(deployment.id, 120_000)).toMatchObject({ status: 'completed', errors: [] })
      const status = await host.exec(
        'docker',
        'inspect',
        '--format',
        '{{.State.Health.Status}}',
        ...(await containersOf(application.id)),
      )
      expect(status.trim()).toBe('healthy')
    }
    const [redis, memcached, postgresql, tools] = begun.map(({ application }) => application)
    if (!redis || !memcached || !postgresql || !tools) throw new Error('One of them was not made.')

    expect((await slipway.ok(listChanges, { token, params: { id: redis.id } })).changes).toEqual([])
    // The notes document these host names, and access only with the generated password.
    expect(await inside(redis.id, 'redis-cli', 'set', 'colour', 'blue')).toBe('OK\n')
    expect(await inside(redis.id, 'sh', '-c', 'REDISCLI_AUTH= redis-cli -h redis-db get colour')).toContain(
      'NOAUTH',
    )
    const asked = "printf 'version\\r\\nquit\\r\\n' | nc memcached-cache 11211"
    expect(await inside(redis.id, 'sh', '-c', asked)).toContain('VERSION')
    const query = (password: string) =>
      inside(
        postgresql.id,
        'sh',
        '-c',
        `PGPASSWORD=${password} psql -h postgresql-db -U app -tAc 'select 6 * 7' app`,
      )
    expect(await query('$POSTGRES_PASSWORD')).toBe('42\n')
    await expect(query('guessed')).rejects.toThrow('password authentication failed')

    const { application } = await slipway.ok(getApplication, { token, params: { id: tools.id } })
    expect(await visit(new URL(application.address ?? '').host)).toBe('IT Tools\n')
  },
)

import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import { hiddenColumns } from '../../server/areas/applications/source.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import {
  makeApplication,
  makeDeployment,
  makeRelease,
  makeSource,
} from '../support/factories/application-factories.ts'
import { makeIntegration } from '../support/factories/factories.ts'
import type { FakeGitHub } from '../support/fakes/github.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, hour, minute } from './world-times.ts'

interface Location {
  workspace: Id<'workspace'>
  server: Id<'server'>
}

export interface Connected {
  /** Path of an application built from a repository. */
  path: string
  id: Id<'application'>
  building: Id<'deployment'>
  delivery: Id<'delivery'>
}

/** Repositories with a Dockerfile, without one, and without a known language. */
export async function makeRepositories(github: FakeGitHub) {
  github.addAccount('octocat')
  const shop = await github.addRepository(
    'octocat/storefront',
    {
      'package.json': JSON.stringify({ name: 'storefront', scripts: { start: 'node server.js' } }),
      'package-lock.json': JSON.stringify({ name: 'storefront', lockfileVersion: 3, packages: {} }),
      'server.js': 'require("node:http").createServer((_, out) => out.end("hi")).listen(3000)\n',
    },
    { description: 'The shop that everybody sees', pushedAt: ago(minute) },
  )
  await github.commit(shop.fullName, { branch: 'next', message: 'Try it' })
  await github.addRepository(
    'octocat/billing-api',
    { Dockerfile: 'FROM scratch\n' },
    {
      private: false,
      description: `Invoices, ${'and what belongs to them, '.repeat(8)}and more`,
      pushedAt: ago(day),
    },
  )
  await github.addRepository(`octocat/${'averylongname'.repeat(7)}`, undefined, { pushedAt: ago(9 * day) })
  return shop
}

/** Two accounts, one of them failing, and an application with builds and pushes. */
export async function makeConnected(stage: Stage, github: FakeGitHub, place: Location): Promise<Connected> {
  const { db } = stage.ctx
  const { workspace, server } = place
  const shop = await makeRepositories(github)
  const integration = await makeIntegration(db, workspace, github.installApp('octocat'))
  github.addOrganization('harbour-works', { octocat: 'admin' })
  const second = await makeIntegration(db, workspace, github.installApp('harbour-works', ['nothing']))
  await db
    .updateTable('integrations')
    .set({ status: 'suspended' })
    .where('workspace_id', '=', workspace)
    .where('id', '=', second)
    .execute()
  const id = await makeApplication(db, workspace, server, { name: 'storefront' })
  await makeSource(db, workspace, id, {
    integration_id: integration,
    repository_id: shop.id,
    repository: shop.fullName,
    watch_paths: ['web/**', 'package.json'],
    ...hiddenColumns(stage.ctx, id, {
      build_args: [{ key: 'NODE_ENV', value: 'production' }],
      generated: null,
    }),
    build_secrets: ['NPM_TOKEN'],
  })
  const building = await makeHistory(stage, place, id)
  return {
    path: `/dashboard/applications/${id}`,
    id,
    building,
    delivery: await makeDeliveries(stage, workspace, id, building),
  }
}

const commitOf = (sha: string, message: string) => ({
  sha: sha.repeat(40).slice(0, 40),
  message,
  author: 'octocat',
  branch: 'main',
  url: `https://github.com/octocat/storefront/commit/${sha.repeat(40).slice(0, 40)}`,
})

const log = [
  'Fetching octocat/storefront at 3f9c2d1',
  '#1 [internal] load build definition from Dockerfile',
  '#1 transferring dockerfile: 412B done',
  '#5 [2/4] COPY package*.json ./',
  '#6 [3/4] RUN npm ci',
  '#6 4.212 added 214 packages in 4s',
]

async function makeHistory({ ctx }: Stage, { workspace, server }: Location, id: Id<'application'>) {
  const commits = [
    commitOf('a81', 'Show the basket on every page'),
    commitOf(
      '77c',
      `Round invoices to the cent, ${'and say so in all the places where it matters, '.repeat(3)}`,
    ),
  ]
  for (const [index, commit] of commits.entries()) {
    const at = { created_at: ago((3 - index) * day), finished_at: ago((3 - index) * day - minute) }
    const release_id = await makeRelease(ctx, workspace, id, index + 1, {
      commit: JSON.stringify(commit),
      live_at: at.finished_at,
      created_at: at.created_at,
    })
    const message = `Build octocat/storefront at ${commit.sha.slice(0, 7)}: ${commit.message}`
    const row = { type: 'build_application', message, release_id, commit: JSON.stringify(commit), ...at }
    await makeDeployment(ctx.db, workspace, { id, server }, { ...row, started_at: at.created_at })
  }
  const commit = commitOf('3f9c2d1', 'Give webhooks a deadline')
  const building = await makeDeployment(
    ctx.db,
    workspace,
    { id, server },
    {
      type: 'build_application',
      status: 'running',
      message: `Build octocat/storefront at 3f9c2d1: ${commit.message}`,
      actor_name: 'octocat (push)',
      commit: JSON.stringify(commit),
      created_at: ago(9_000),
      started_at: ago(8_000),
    },
  )
  const names = ['check', 'fetch', 'build', 'start', 'wait', 'switch', 'drain', 'prune'] as const
  await ctx.db
    .insertInto('deployment_steps')
    .values(
      names.map((name, position) => ({
        workspace_id: workspace,
        deployment_id: building,
        position,
        name,
        status:
          position < 2
            ? ('completed' as const)
            : position === 2
              ? ('running' as const)
              : ('waiting' as const),
        started_at: position <= 2 ? ago(8_000 - position * 900) : null,
        finished_at: position < 2 ? ago(7_000 - position * 900) : null,
      })),
    )
    .execute()
  await appendOutput(ctx, ctx.db, workspace, building, [{ stream: 'stdout', text: `${log.join('\n')}\n` }])
  return building
}

/** One delivery of each kind; the newest deployed an application. */
async function makeDeliveries(
  { ctx: { db, secrets } }: Stage,
  workspace_id: Id<'workspace'>,
  application: Id<'application'>,
  deployment: Id<'deployment'>,
) {
  type Row = Insertable<Tables['deliveries']>
  const push = {
    hook: 'github',
    event: 'push',
    repository: 'octocat/storefront',
    sha: commitOf('3f9c2d1', '').sha,
    message: 'Give webhooks a deadline',
    sender: 'octocat',
  } satisfies Partial<Row>
  const came: [given: Partial<Row>, summary: string, age: number][] = [
    [
      { hook: 'github', event: 'ping', status: 'ignored' },
      'GitHub only asks whether Slipway is there.',
      3 * day,
    ],
    [
      { ...push, ref: 'a-branch-with-quite-a-long-name/and-a-folder', status: 'ignored' },
      'It is built from main, and this is another branch.',
      day,
    ],
    [
      { ...push, ref: 'main', status: 'failed' },
      'GitHub says that Slipway has no access to octocat/storefront any more. Connect the account again on the page Integrations.',
      5 * hour,
    ],
    [
      { hook: 'deploy', event: 'deploy', application_id: application, status: 'deployed' },
      'Deployment begun.',
      hour,
    ],
    [{ ...push, ref: 'main', status: 'deployed' }, 'Deployment begun.', minute],
  ]
  let last = newId('delivery')
  for (const [given, summary, age] of came) {
    const id = newId('delivery')
    await db
      .insertInto('deliveries')
      .values({
        hook: 'github',
        event: 'push',
        ...given,
        id,
        workspace_id,
        delivery: id,
        queue: 'any',
        headers: JSON.stringify({ 'content-type': 'application/json', 'x-github-event': 'push' }),
        payload_sealed: secrets.seal(
          `deliveries.payload_sealed:${id}`,
          JSON.stringify({
            ref: 'refs/heads/main',
            commits: Array.from({ length: 12 }, (_, n) => ({ id: n })),
          }),
        ),
        received_at: ago(age),
        handled_at: ago(age - 40),
      })
      .execute()
    await db
      .insertInto('outcomes')
      .values({
        workspace_id,
        delivery_id: id,
        position: 0,
        application_id: given.event === 'ping' ? null : application,
        application_name: given.event === 'ping' ? null : 'storefront',
        status: given.status === 'deployed' || given.status === 'failed' ? given.status : 'ignored',
        summary,
        deployment_id: given.status === 'deployed' ? deployment : null,
      })
      .execute()
    last = id
  }
  return last
}

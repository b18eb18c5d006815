import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import { stepNames } from '../../contract/deployments.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { sealStepError } from '../../server/areas/deployments/run/deployment.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import {
  makeApplication,
  failedWith,
  makeDeployment,
  makeRelease,
  makeSavedLog,
} from '../support/factories/application-factories.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, hour, minute } from './world-times.ts'

type Ctx = Stage['ctx']

interface Location {
  workspace: Id<'workspace'>
  server: Id<'server'>
}

export interface Deployed extends Location {
  id: Id<'application'>
  path: string
  /** By release number. */
  releases: Id<'release'>[]
  deployments: Record<'completed' | 'failed' | 'running' | 'cancelled', Id<'deployment'>>
}

const image = 'registry.harbour.example:5000/team/checkout:2026-11-15-3f9c2d1'

/** An application with successful and failed deployments, and one in progress. */
export async function makeDeployed(ctx: Ctx, place: Location, name = 'checkout'): Promise<Deployed> {
  const { workspace, server } = place
  const id = await makeApplication(ctx.db, workspace, server, {
    name,
    image,
    replicas: 2,
    memory_limit: 2 ** 29,
  })
  const releases: Id<'release'>[] = []
  for (const number of [1, 2, 3, 4])
    releases.push(
      await makeRelease(ctx, workspace, id, number, {
        image,
        digest: number === 2 ? null : `sha256:${hash(`${id} ${number}`)}`,
        kept: number > 1,
        created_at: ago((5 - number) * day),
        live_at: ago((5 - number) * day - minute),
      }),
    )
  await makeSavedLog(ctx, workspace, id, ['Listening on port 3000', 'error job=7'], {
    release: 3,
    restarts: 4,
  })
  const deployments = await makeDeployments(ctx, { ...place, id, release: releases.at(-1) })
  await makeInstances(ctx, { ...place, id, release: releases.at(-1), deployment: deployments.completed })
  return { ...place, id, path: `/dashboard/applications/${id}`, releases, deployments }
}

/** A changed application that crashed after its deployment and is in maintenance. */
export async function makeDead(ctx: Ctx, { workspace, server }: Location): Promise<{ path: string }> {
  const id = await makeApplication(ctx.db, workspace, server, { name: 'till', image, maintenance: true })
  const crash = 'Container till-2-1 ran out of memory (limit 64 MiB).'
  for (const number of [1, 2]) await makeRelease(ctx, workspace, id, number, { image })
  await makeDeployment(
    ctx.db,
    workspace,
    { id, server },
    {
      ...failedWith(ctx, [crash, `Allocating ${'0123456789'.repeat(12)}`]),
      status: 'completed',
      message: `Deploy ${image}`,
      crashed_at: ago(minute),
      crash_reason: crash,
    },
  )
  return { path: `/dashboard/applications/${id}` }
}

interface ReleaseLocation extends Location {
  id: Id<'application'>
  release: Id<'release'> | undefined
}

async function makeDeployments(
  ctx: Ctx,
  { workspace, server, id, release = newId('release') }: ReleaseLocation,
) {
  const { db } = ctx
  const make = async (
    given: Partial<Insertable<Tables['deployments']>>,
    [at, status]: [step: number, Insertable<Tables['deployment_steps']>['status']],
    lines: string,
  ) => {
    const began = given.created_at ?? new Date()
    const deployment = await makeDeployment(
      db,
      workspace,
      { id, server },
      { tag: image, started_at: began, ...given },
    )
    await db
      .insertInto('deployment_steps')
      .values(stepsOf(ctx, workspace, deployment, at, status))
      .execute()
    await appendOutput(ctx, db, workspace, deployment, [
      { stream: 'stdout', text: lines },
      { stream: 'stderr', text: '\u001b[33mwarning\u001b[0m: NODE_ENV is not set\n' },
    ])
    return deployment
  }
  const took = (age: number, milliseconds: number) => ({
    created_at: ago(age),
    finished_at: ago(age - milliseconds),
  })
  const pulled = `Pulling ${image}\n3f9c2d1: Pull complete\nDigest: sha256:${hash(image)}\n`
  return {
    completed: await make(
      { message: `Deploy ${image}`, release_id: release, actor_name: 'Linus Pauling', ...took(day, 4_300) },
      [7, 'completed'],
      `${pulled}Two containers answer on port 3000.\nDone.\n`,
    ),
    failed: await make(
      {
        ...failedWith(ctx, [
          'Container checkout-5-1 exited with code 1 before it was ready.',
          'Error: connect ECONNREFUSED 10.0.0.5:5432',
        ]),
        message: `Deploy ${image}`,
        actor_name: 'Mary Jackson',
        ...took(3 * hour, 62_000),
      },
      [3, 'failed'],
      `${pulled}Starting…\nError: connect ECONNREFUSED 10.0.0.5:5432\n`,
    ),
    cancelled: await make(
      { type: 'restart_application', status: 'cancelled', message: 'Restart', ...took(2 * hour, 1_200) },
      [2, 'undone'],
      'Cancelled by Ada Lovelace.\n',
    ),
    running: await make(
      { status: 'running', message: `Deploy ${image}`, created_at: ago(9_000) },
      [3, 'running'],
      pulled + Array.from({ length: 400 }, (_, n) => `${n} GET /healthz 503\n`).join(''),
    ),
  }
}

/** Earlier steps are done, later ones pending. */
function stepsOf(
  ctx: Ctx,
  workspace_id: Id<'workspace'>,
  deployment_id: Id<'deployment'>,
  at: number,
  status: Insertable<Tables['deployment_steps']>['status'],
): Insertable<Tables['deployment_steps']>[] {
  // An image needs no build.
  const names = stepNames.filter((name) => name !== 'build' && name !== 'setup')
  return names.map((name, position) => ({
    workspace_id,
    deployment_id,
    position,
    name,
    status: position < at ? 'completed' : position === at ? status : 'waiting',
    error_sealed:
      position === at && status === 'failed'
        ? sealStepError(ctx, deployment_id, 'It ended with code 1.')
        : null,
    started_at: position <= at ? ago(minute - position * 500) : null,
    finished_at:
      position < at || (position === at && status !== 'running') ? ago(minute - position * 900) : null,
  }))
}

/** Two live containers, and one of the previous release that drains. */
async function makeInstances({ db }: Ctx, of: ReleaseLocation & { deployment: Id<'deployment'> }) {
  const { workspace: workspace_id, server: server_id, id: application_id, deployment: deployment_id } = of
  const owner = { workspace_id, server_id, application_id }
  for (const [replica, state] of (['serving', 'serving', 'draining'] as const).entries()) {
    const id = newId('instance')
    const container_id = hash(id)
    await db
      .insertInto('instances')
      .values({
        id,
        ...owner,
        deployment_id,
        release_id: of.release ?? newId('release'),
        replica,
        state,
        container_id,
        slot: replica,
        address: `172.30.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250) + 2}`,
      })
      .execute()
    await db
      .insertInto('containers')
      .values({
        ...owner,
        id: container_id,
        instance_id: id,
        name: `checkout-${state === 'draining' ? 3 : 4}-${replica + 1}-${hash(id).slice(0, 4)}`,
        image,
        image_id: `sha256:${hash(image)}`,
        state: 'running',
        ports: '[]',
        cpu: 0.12,
        memory_used: 180_000_000,
        created_at: ago(day),
        started_at: ago(day),
      })
      .execute()
  }
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')

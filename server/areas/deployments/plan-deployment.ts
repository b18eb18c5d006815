import type { z } from 'zod'
import type { plan } from '../../../contract/compose.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { openReleaseConfiguration } from '../applications/changes/find-changes.ts'
import { type Configured, readConfigured } from '../applications/config.ts'
import { describeHostAccess, hostAccessRefusal } from '../applications/host-access.ts'
import { grantsServerAccess, railpackAccess, railpackRefusal } from '../applications/railpack.ts'
import { composeOf, environmentOf, type Release, findRelease } from '../applications/release.ts'
import { revisionOf } from '../applications/revision.ts'
import { stoppedFirstMessage } from '../applications/review/stopped-first.ts'
import type { Model } from '../compose/model.ts'
import { Unfit } from '../compose/read/unfit.ts'
import { mayActAsRoot } from '../servers/act-as-root.ts'
import { reach, hostOf } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { forMany } from '../../platform/for-many.ts'
import { findLiveProgram } from './steps/check-host-access.ts'
import { whyNotAllowed } from './compose/check-compose.ts'
import { getReleaseTo } from './run/choose-release.ts'
import { withoutValues } from './run/environment.ts'
import { examine, type Examined } from './compose/examine.ts'
import { moveWarnings } from './compose/move-warnings.ts'
import { planServices } from './compose/plan-services.ts'
import { readCompose } from './compose/read-compose.ts'
import { canonical, hashOf } from '../compose/hash.ts'
import { findImage } from './images/image-of.ts'

type Plan = z.input<typeof plan>
type Planned = Awaited<ReturnType<typeof planServices>>

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
  /** Whether who asks may give containers power over the server. */
  mayEmpower: boolean
  signal: AbortSignal
}

/** A person waits for it. */
const limit = 15_000

/** What deploying what is configured would do, or going back to a release. Nothing is done. */
export async function planDeployment(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  releaseId: Id<'release'> | undefined,
): Promise<Plan> {
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  const release = releaseId && (await getReleaseTo(ctx.db, application, releaseId))
  const mayEmpower = mayActAsRoot(actor, server)
  if (application.compose_sealed === null) {
    const moved = await moveWarnings(ctx.db, application, server)
    return planOfImage({ ctx, application, mayEmpower }, release, moved)
  }
  return reach(ctx, server, () => {
    const of = { ctx, application, server, mayEmpower, signal: forMany(AbortSignal.timeout(limit)) }
    return release ? planBack(of, release) : planOfFile(of)
  })
}

const none: Plan = {
  services: [],
  warnings: [],
  powers: [],
  allowed: true,
  refusal: null,
  revision: null,
  problems: [],
}

/** One service without a name, of which there is little to say. */
async function planOfImage(
  { ctx, application, mayEmpower }: Pick<Of, 'ctx' | 'application' | 'mayEmpower'>,
  release: Release | undefined,
  moved: string[],
): Promise<Plan> {
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : await readConfigured(ctx, ctx.db, application)
  const { powers, why } = await findImagePowers(ctx, application, next, release !== undefined)
  const refusal = mayEmpower ? null : why
  return {
    ...none,
    powers,
    allowed: refusal === null,
    refusal,
    revision: release ? null : revisionOf(ctx, next),
    warnings: [
      ...moved,
      ...(application.release_id !== null && (release?.config ?? application).stop_first
        ? [stoppedFirstMessage(['The old container'])]
        : []),
    ],
  }
}

/** Host access that the live release does not have, and why it is refused to whoever may not approve it. */
async function findImagePowers(
  ctx: Context,
  application: ApplicationRow,
  next: Configured,
  wasLive: boolean,
) {
  const live = await findLiveProgram(ctx, ctx.db, application)
  const mounts = describeHostAccess(next, live, wasLive)
  const { build } = next.config
  const builds = !wasLive && build !== undefined && grantsServerAccess(build, live?.config.build)
  return {
    powers: [...mounts, ...(builds ? [railpackAccess] : [])],
    why: mounts.length > 0 ? hostAccessRefusal(wasLive) : builds ? railpackRefusal : null,
  }
}

async function planBack(of: Of, release: Release): Promise<Plan> {
  const { ctx, signal } = of
  const model = composeOf(ctx, release)?.model
  if (!model) return none
  const env = environmentOf(ctx, release)
  const services = release.config.services ?? []
  const [planned, found] = await Promise.all([
    planServices(of, { model, services }, { all: false, signal }),
    examine(of, model, { env, release, signal }),
  ])
  return told(of, { model, env, found, planned, isBack: true, warnings: found.warnings })
}

async function planOfFile(of: Of): Promise<Plan> {
  const { ctx, application, server, signal } = of
  const configured = await readConfigured(ctx, ctx.db, application)
  const { compose, env } = configured
  if (!compose) return none
  const revision = revisionOf(ctx, configured)
  try {
    const { model, warnings } = await readCompose(ctx, server, application, { ...compose, env }, signal)
    const [services, found] = await Promise.all([
      guessServices(of, model, signal),
      examine(of, model, { env, signal }),
    ])
    const planned = await planServices(of, { model, services }, { all: false, signal })
    const said = [...warnings, ...found.warnings, ...found.differing]
    return { ...(await told(of, { model, env, found, planned, isBack: false, warnings: said })), revision }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return { ...none, revision, problems: error.sentences.map(atTop) }
  }
}

interface Found {
  model: Model
  env: readonly Pair[]
  found: Examined
  planned: Planned
  isBack: boolean
  warnings: string[]
}

async function told(of: Of, { model, env, found, planned, isBack, warnings }: Found): Promise<Plan> {
  const { ctx, application, server, mayEmpower } = of
  const { refused, powers } = found
  const refusal = whyNotAllowed({ powers, mayEmpower, isBack }) ?? null
  const allowed = refusal === null
  const common = { ...none, powers, allowed, refusal }
  if (refused.length > 0) return { ...common, warnings, problems: refused.map(atTop) }
  const moved = await moveWarnings(ctx.db, application, server)
  const first = planned.filter(({ action }) => action === 'recreated').map(({ service }) => service)
  return {
    ...common,
    warnings: [...warnings, ...moved, ...(first.length > 0 ? [stoppedFirstMessage(first)] : [])],
    services: planned.map(({ service, action, why }) => ({
      name: service,
      action,
      why: why.map((one) => withoutValues(one, env)),
      image: model.services[service]?.image ?? null,
    })),
  }
}

/** Compose seldom knows the line; whoever checks the file as it is typed does. */
const atTop = (message: string): Plan['problems'][number] => {
  const line = Number(/^Line (\d+): /.exec(message)?.[1] ?? 1)
  const text = message.replace(/^Line \d+: /, '')
  return { line, column: 1, end_line: line, end_column: 1, severity: 'error', message: text }
}

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/**
 * As they would be if no tag has moved, and nothing of what is built was changed: what runs keeps its image while its name
 * stays the same, and what it is built with.
 */
async function guessServices({ ctx, application, server }: Of, model: Model, signal: AbortSignal) {
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const { docker } = hostOf(ctx, server)
  const built = live && composeOf(ctx, live)?.model.services
  return Promise.all(
    Object.entries(model.services).map(async ([name, service]) => {
      const before = live?.config.services?.find((one) => one.name === name)
      const image = service.image ?? name
      const imageId =
        before?.image === image && canonical(service.build) === canonical(built?.[name]?.build)
          ? before.image_id
          : ((await findImage(docker, image, signal))?.Id ?? '')
      return { name, hash: hashOf(service, model, imageId, (text) => ctx.secrets.mark(text)) }
    }),
  )
}

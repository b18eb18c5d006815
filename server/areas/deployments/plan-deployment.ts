import type { z } from 'zod'
import type { deploymentPlan } from '../../../contract/compose.ts'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { allowManyListeners } from '../../platform/async.ts'
import type { Actor } from '../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { type ApplicationConfig, readApplicationConfig, computeRevision } from '../applications/config.ts'
import {
  describeHostAccess,
  findLiveProgram,
  hostAccessRefusal,
  grantsServerAccess,
  railpackAccess,
  railpackRefusal,
} from '../applications/host-access.ts'
import {
  findRelease,
  openReleaseCompose,
  openReleaseConfiguration,
  openReleaseEnvironment,
  type Release,
} from '../applications/release.ts'
import { stoppedFirstMessage } from '../applications/review/review.ts'
import { type Model, UnsupportedCompose } from '../compose/model.ts'
import { canonicalJson, serviceHash } from '../compose/service-hash.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { canActAsRoot } from '../servers/root-access.ts'
import { withServerHost, getServerHost } from '../servers/server-host.ts'
import {
  checkComposeOnServer,
  type ServerComposeCheck,
  composeHostAccessRefusal,
} from './compose/check-on-server.ts'
import { planServices } from './compose/plan-services.ts'
import { readCompose } from './compose/read-compose.ts'
import { findImage } from './images/ensure-image.ts'
import { getRollbackRelease } from './run/choose-release.ts'
import { maskEnvironmentValues } from './run/redact.ts'

type Plan = z.input<typeof deploymentPlan>
type Planned = Awaited<ReturnType<typeof planServices>>

interface PlanContext {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
  allowHostAccess: boolean
  signal: AbortSignal
}

const requestTimeout = 15_000

export async function planDeployment(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  releaseId: Id<'release'> | undefined,
): Promise<Plan> {
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  const release = releaseId && (await getRollbackRelease(ctx.db, application, releaseId))
  const allowHostAccess = canActAsRoot(actor, server)
  if (application.compose_sealed === null) {
    return planImage({ ctx, application, allowHostAccess }, release)
  }
  return withServerHost(ctx, server, () => {
    const of = {
      ctx,
      application,
      server,
      allowHostAccess,
      signal: allowManyListeners(AbortSignal.timeout(requestTimeout)),
    }
    return release ? planRollback(of, release) : planCompose(of)
  })
}

const emptyPlan: Plan = {
  services: [],
  warnings: [],
  host_access: [],
  allowed: true,
  refusal: null,
  revision: null,
  problems: [],
}

async function planImage(
  { ctx, application, allowHostAccess }: Pick<PlanContext, 'ctx' | 'application' | 'allowHostAccess'>,
  release: Release | undefined,
): Promise<Plan> {
  const next = release
    ? openReleaseConfiguration(ctx, release)
    : await readApplicationConfig(ctx, ctx.db, application)
  const { hostAccess, why } = await findImageHostAccess(ctx, application, next, release !== undefined)
  const refusal = allowHostAccess ? null : why
  return {
    ...emptyPlan,
    host_access: hostAccess,
    allowed: refusal === null,
    refusal,
    revision: release ? null : computeRevision(ctx, next),
    warnings:
      application.release_id !== null && (release?.config ?? application).stop_first
        ? [stoppedFirstMessage(['The old container'])]
        : [],
  }
}

async function findImageHostAccess(
  ctx: Context,
  application: ApplicationRow,
  next: ApplicationConfig,
  wasLive: boolean,
) {
  const live = await findLiveProgram(ctx, ctx.db, application)
  const mounts = describeHostAccess(next, live, wasLive)
  const { build } = next.config
  const builds = !wasLive && build !== undefined && grantsServerAccess(build, live?.config.build)
  return {
    hostAccess: [...mounts, ...(builds ? [railpackAccess] : [])],
    why: mounts.length > 0 ? hostAccessRefusal(wasLive) : builds ? railpackRefusal : null,
  }
}

async function planRollback(of: PlanContext, release: Release): Promise<Plan> {
  const { ctx, signal } = of
  const model = openReleaseCompose(ctx, release)?.model
  if (!model) return emptyPlan
  const env = openReleaseEnvironment(ctx, release)
  const services = release.config.services ?? []
  const [planned, found] = await Promise.all([
    planServices(of, { model, services }, { all: false, signal }),
    checkComposeOnServer(of, model, { env, release, signal }),
  ])
  return toPlan(of, { model, env, found, planned, isBack: true, warnings: found.warnings })
}

async function planCompose(of: PlanContext): Promise<Plan> {
  const { ctx, application, server, signal } = of
  const configured = await readApplicationConfig(ctx, ctx.db, application)
  const { compose, env } = configured
  if (!compose) return emptyPlan
  const revision = computeRevision(ctx, configured)
  try {
    const { model, warnings } = await readCompose(ctx, server, application, { ...compose, env }, signal)
    const [services, found] = await Promise.all([
      guessServices(of, model, signal),
      checkComposeOnServer(of, model, { env, signal }),
    ])
    const planned = await planServices(of, { model, services }, { all: false, signal })
    const allWarnings = [...warnings, ...found.warnings, ...found.differing]
    return { ...toPlan(of, { model, env, found, planned, isBack: false, warnings: allWarnings }), revision }
  } catch (error) {
    if (!(error instanceof UnsupportedCompose)) throw error
    return { ...emptyPlan, revision, problems: error.sentences.map(toProblem) }
  }
}

interface ComposePlanInput {
  model: Model
  env: readonly Pair[]
  found: ServerComposeCheck
  planned: Planned
  isBack: boolean
  warnings: string[]
}

function toPlan(
  { allowHostAccess }: PlanContext,
  { model, env, found, planned, isBack, warnings }: ComposePlanInput,
): Plan {
  const { refused, hostAccess } = found
  const refusal = composeHostAccessRefusal({ hostAccess, allowHostAccess, isBack }) ?? null
  const allowed = refusal === null
  const common = { ...emptyPlan, host_access: hostAccess, allowed, refusal }
  if (refused.length > 0) return { ...common, warnings, problems: refused.map(toProblem) }
  const first = planned.filter(({ action }) => action === 'recreated').map(({ service }) => service)
  return {
    ...common,
    warnings: [...warnings, ...(first.length > 0 ? [stoppedFirstMessage(first)] : [])],
    services: planned.map(({ service, action, reasons }) => ({
      name: service,
      action,
      reasons: reasons.map((reason) => maskEnvironmentValues(reason, env)),
      image: model.services[service]?.image ?? null,
    })),
  }
}

/** Compose rarely reports a line. Line 1 is enough then, because the editor checks the file itself. */
const toProblem = (message: string): Plan['problems'][number] => {
  const line = Number(/^Line (\d+): /.exec(message)?.[1] ?? 1)
  const text = message.replace(/^Line \d+: /, '')
  return { line, column: 1, end_line: line, end_column: 1, severity: 'error', message: text }
}

/** Predicts the images: assumes that tags did not move and build contexts did not change. */
async function guessServices({ ctx, application, server }: PlanContext, model: Model, signal: AbortSignal) {
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const { docker } = getServerHost(ctx, server)
  const built = live && openReleaseCompose(ctx, live)?.model.services
  return Promise.all(
    Object.entries(model.services).map(async ([name, service]) => {
      const before = live?.config.services?.find((one) => one.name === name)
      const image = service.image ?? name
      const imageId =
        before?.image === image && canonicalJson(service.build) === canonicalJson(built?.[name]?.build)
          ? before.image_id
          : ((await findImage(docker, image, signal))?.Id ?? '')
      return { name, hash: serviceHash(service, model, imageId, (text) => ctx.secrets.fingerprint(text)) }
    }),
  )
}

import type { z } from 'zod'
import type { plan } from '../../../contract/compose.ts'
import type { Id } from '../../../contract/ids.ts'
import { may } from '../../../contract/permissions.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../applications/application.ts'
import { readConfigured } from '../applications/config.ts'
import { composeOf, findRelease } from '../applications/release.ts'
import { canonical, hashOf } from '../compose/hash.ts'
import type { Model } from '../compose/model.ts'
import { folderOf } from '../compose/names.ts'
import { refusalsOf } from '../compose/refusals.ts'
import { Unfit } from '../compose/unfit.ts'
import { hostOf, reach } from '../servers/reach.ts'
import { getServerRow, type ServerRow } from '../servers/server.ts'
import { addressWarnings } from './address-warnings.ts'
import { newPowers, publishedBy } from './check-compose.ts'
import { getReleaseTo } from './choose-release.ts'
import { networkWarnings } from './compose-networks.ts'
import { volumeWarnings } from './compose-volumes.ts'
import { findImage } from './image-of.ts'
import { planServices } from './plan-services.ts'
import { portProblems } from './port-problems.ts'
import { readCompose } from './read-compose.ts'

type Plan = z.input<typeof plan>

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
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
  const of = { ctx, application, server }
  const empower = may(actor.workspace.role, 'binds.manage')
  // An image is one service without a name, of which there is nothing to say.
  if (application.compose_sealed === null) return none
  return reach(ctx, server, () =>
    releaseId ? planBack(of, releaseId, empower) : planOfFile(of, empower, AbortSignal.timeout(limit)),
  )
}

const none: Plan = { services: [], warnings: [], powers: [], allowed: true, problems: [] }

async function planBack(of: Of, releaseId: Id<'release'>, empower: boolean): Promise<Plan> {
  const { ctx, application } = of
  const release = await getReleaseTo(ctx.db, application, releaseId)
  const model = composeOf(ctx, release)?.model
  if (!model) return none
  const services = release.config.services ?? []
  const signal = AbortSignal.timeout(limit)
  const [planned, powers, warnings] = await Promise.all([
    planServices(of, { model, services }, { all: false, signal }),
    newPowers(of, model, { signal, wasLive: true }),
    addressWarnings(of, model),
  ])
  return {
    ...none,
    services: named(planned, model),
    warnings,
    powers,
    allowed: powers.length === 0 || empower,
  }
}

async function planOfFile(of: Of, empower: boolean, signal: AbortSignal): Promise<Plan> {
  const { ctx, application, server } = of
  const { compose, env } = await readConfigured(ctx, ctx.db, application)
  if (!compose) return none
  try {
    const { model, warnings } = await readCompose(ctx, server, application, { ...compose, env }, signal)
    const ports = publishedBy(model, server)
    const refused = [...refusalsOf(model, folderOf(application)), ...ports.problems]
    if (refused.length > 0) return { ...none, problems: refused.map(atTop) }
    const { docker } = hostOf(ctx, server)
    const [taken, services, powers, ...differing] = await Promise.all([
      portProblems(of, ports.lifted, signal),
      guessServices(of, model, signal),
      newPowers(of, model, { signal, wasLive: false }),
      networkWarnings(docker, application, model, signal),
      volumeWarnings(docker, application, model, signal),
      addressWarnings(of, model),
    ])
    if (taken.length > 0) return { ...none, problems: taken.map(atTop) }
    const planned = await planServices(of, { model, services }, { all: false, signal })
    return {
      services: named(planned, model),
      warnings: [...warnings, ...ports.warnings, ...differing.flat()],
      powers,
      allowed: powers.length === 0 || empower,
      problems: [],
    }
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    return { ...none, problems: error.sentences.map(atTop) }
  }
}

/** Compose seldom knows the line; whoever checks the file as it is typed does. */
const atTop = (message: string): Plan['problems'][number] => {
  const line = Number(/^Line (\d+): /.exec(message)?.[1] ?? 1)
  const text = message.replace(/^Line \d+: /, '')
  return { line, column: 1, end_line: line, end_column: 1, severity: 'error', message: text }
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

const named = (planned: Awaited<ReturnType<typeof planServices>>, model: Model): Plan['services'] =>
  planned.map(({ service, action, why }) => ({
    name: service,
    action,
    why,
    image: model.services[service]?.image ?? null,
  }))

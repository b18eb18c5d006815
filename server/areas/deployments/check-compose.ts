import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { composeOf, findRelease } from '../applications/release.ts'
import type { Model } from '../compose/model.ts'
import { folderOf } from '../compose/names.ts'
import { type Ports, portsOf } from '../compose/ports.ts'
import { powersBeyond } from '../compose/powers-beyond.ts'
import { refusalsOf } from '../compose/refusals.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { type Attempt, Failed } from './attempt.ts'
import { withoutValues } from './environment.ts'
import { mustHaveProxy } from './must-have-proxy.ts'
import { envOf, isCompose, modelFor } from './model-for.ts'
import { listOwnNames } from './own-names.ts'
import { portProblems } from './port-problems.ts'

/** All that a compose file wants of the server. What was live once was looked at then, but for powers that it gives back. */
export async function checkCompose(attempt: Attempt): Promise<void> {
  try {
    await check(attempt)
  } catch (error) {
    if (!(error instanceof Failed) || !isCompose(attempt)) throw error
    // What is refused can be named by a variable, and whoever sees the deployment may not see those.
    const env = envOf(attempt)
    throw new Failed(
      withoutValues(error.message, env),
      error.words.map((one) => withoutValues(one, env)),
    )
  }
}

async function check(attempt: Attempt): Promise<void> {
  const model = await modelFor(attempt)
  if (!model) return
  const wasLive = attempt.release !== undefined
  if (!wasLive) {
    const [refused] = refusalsOf(model, folderOf(attempt.application))
    if (refused) throw new Failed(refused)
    await checkPorts(attempt, model)
  }
  const powers = await newPowers(attempt, model, { signal: attempt.signal, wasLive })
  if (powers.length > 0 && !attempt.deployment.may_empower)
    throw new Failed(wasLive ? backNeedsAdmin : needsAdmin, powers)
}

const needsAdmin =
  'This gives containers power over the server, which needs an admin. Ask one to deploy it, or take it out of the compose file.'
const backNeedsAdmin =
  'This release gives containers power over the server that they do not have now, which needs an admin. Ask one to go back to it.'

/** Where it would listen on the server. */
export const publishedBy = (model: Model, server: ServerRow): Ports => {
  const { http_port, https_port } = webPortsOf(server)
  return portsOf(model, [http_port, https_port])
}

async function checkPorts(attempt: Attempt, model: Model): Promise<void> {
  const { lifted, problems } = publishedBy(model, attempt.server)
  if (problems[0]) throw new Failed(problems[0])
  if (lifted.length === 0) return
  await mustHaveProxy(attempt)
  const [taken] = await portProblems(attempt, lifted, attempt.signal)
  if (taken) throw new Failed(taken)
}

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Those that what runs does not have already, as sentences. `wasLive`: it is gone back to. */
export async function newPowers(
  { ctx, application, server }: Of,
  model: Model,
  { signal, wasLive }: { signal: AbortSignal; wasLive: boolean },
): Promise<string[]> {
  const own = await listOwnNames(ctx, server, signal)
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const before = live && composeOf(ctx, live)?.model
  return powersBeyond(model, { before, folder: folderOf(application), own, wasLive })
}

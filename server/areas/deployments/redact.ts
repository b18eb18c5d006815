import type { z } from 'zod'
import type { outputEvent } from '../../../contract/outputs.ts'
import type { Context } from '../../context.ts'
import type { LiveEvent } from '../../route.ts'
import { configuredOf } from '../applications/changed.ts'
import { configOf } from '../applications/frozen-config.ts'
import { composeText, environmentPairs, findRelease } from '../applications/release.ts'
import { redactorOf } from '../applications/sensitive-values.ts'
import { deploymentComposePlace, deploymentEnvPlace } from './request-deployment.ts'
import type { Deployment } from './store.ts'

/** Hides the values of what it was asked to deploy, and of the release that it is about. */
export async function redactorFor(ctx: Context, deployment: Deployment) {
  const { id, workspace_id, config, config_sealed } = deployment
  const { env_sealed: env, compose_sealed: compose, release_id } = deployment
  const release = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  const frozen = {
    config: config && configOf(ctx, 'deployments', { id, config, config_sealed }),
    env:
      env === null ? [] : environmentPairs.parse(JSON.parse(ctx.secrets.open(deploymentEnvPlace(id), env))),
    compose:
      compose === null
        ? null
        : composeText.parse(JSON.parse(ctx.secrets.open(deploymentComposePlace(id), compose))),
  }
  return redactorOf(frozen, ...(release ? [configuredOf(ctx, release)] : []))
}

type OutputEvent = LiveEvent<z.input<typeof outputEvent>>

/** Line by line: a value could stand across the end of a piece. */
export async function* redactOutput(
  events: AsyncIterable<OutputEvent>,
  redact: (text: string) => string,
): AsyncGenerator<OutputEvent> {
  const held = new Map<'stdout' | 'stderr', OutputEvent & { text: string }>()
  for await (const event of events) {
    const { data } = event
    if (data.type !== 'output') {
      for (const { text, ...last } of held.values())
        if (text !== '' && last.data.type === 'output')
          yield { ...last, data: { ...last.data, text: redact(text) } }
      held.clear()
      yield event
      continue
    }
    const text = `${held.get(data.stream)?.text ?? ''}${data.text}`
    const end = text.lastIndexOf('\n') + 1
    held.set(data.stream, { ...event, text: text.slice(end) })
    if (end > 0) yield { ...event, data: { ...data, text: redact(text.slice(0, end)) } }
  }
}

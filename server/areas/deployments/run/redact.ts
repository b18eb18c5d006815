import { deploymentComposeSealContext, deploymentEnvSealContext, type Deployment } from './deployment.ts'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { outputEvent } from '../../../../contract/shared/replies.ts'
import type { Context } from '../../../context.ts'
import type { LiveEvent } from '../../../route.ts'
import { lineKey } from '../../outputs/output.ts'
import { composeText, environmentPairs, openFrozenConfig } from '../../applications/release.ts'
import { type MaskedSource, releaseSource } from '../../applications/redactor.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import type { Model } from '../../compose/model.ts'

/** Values to mask: a deployment keeps its own configuration until it finishes, its release keeps one for good. */
export const deploymentSources = (ctx: Context, deployment: Deployment): MaskedSource[] => [
  ...(deployment.env_sealed === null ? [] : [frozenSource(ctx, deployment, deployment.env_sealed)]),
  ...(deployment.release_id ? [releaseSource(ctx, deployment.workspace_id, deployment.release_id)] : []),
]

const frozenSource = (
  ctx: Context,
  { id, config, config_sealed, compose_sealed: compose }: Deployment,
  env: string,
): MaskedSource => ({
  key: id,
  read: async () => ({
    config: config && openFrozenConfig(ctx, 'deployments', { id, config, config_sealed }),
    env: environmentPairs.parse(JSON.parse(ctx.secrets.open(deploymentEnvSealContext(id), env))),
    compose:
      compose === null
        ? null
        : composeText.parse(JSON.parse(ctx.secrets.open(deploymentComposeSealContext(id), compose))),
  }),
})

type OutputEvent = LiveEvent<z.input<typeof outputEvent>>

/** Masks line by line, separately per stream and origin: a value could span pieces with others in between. */
export async function* redactOutput(
  events: AsyncIterable<OutputEvent>,
  redact: (text: string) => string,
  /** The beginnings of lines before the first event, by `lineKey`. */
  unfinished: ReadonlyMap<string, string> = new Map(),
): AsyncGenerator<OutputEvent> {
  const held = new Map<string, OutputEvent & { text: string }>()
  for await (const event of events) {
    const { data } = event
    // Masking is CPU-bound, so yield to other requests.
    await setImmediate()
    if (data.type !== 'output') {
      for (const { text, ...last } of held.values())
        if (text !== '' && last.data.type === 'output')
          yield { ...last, data: { ...last.data, text: redact(text) } }
      held.clear()
      yield event
      continue
    }
    const key = lineKey(data)
    const text = `${held.get(key)?.text ?? unfinished.get(key) ?? ''}${data.text}`
    const end = text.lastIndexOf('\n') + 1
    held.set(key, { ...event, text: text.slice(end) })
    if (end > 0) yield { ...event, data: { ...data, text: redact(text.slice(0, end)) } }
  }
}

/** Masks secrets in build and deployment logs. Yields regularly, because logs can be long. */
export async function redactLines(
  lines: readonly string[],
  redact: (text: string) => string,
): Promise<string[]> {
  const redacted: string[] = []
  let characters = 0
  for (const line of lines) {
    redacted.push(redact(line))
    characters += line.length
    if (characters < 50_000) continue
    characters = 0
    await setImmediate()
  }
  return redacted
}

/** Masking shorter values would garble ordinary text. */
const minMaskedLength = 4

/** Docker may quote values whole, line by line or JSON-escaped. */
export function maskEnvironmentValues(text: string, env: readonly Pair[]): string {
  const values = env.flatMap(({ value }) => [value, JSON.stringify(value).slice(1, -1), ...linesOf(value)])
  return [...new Set(values)]
    .filter((value) => value.length >= minMaskedLength)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, value) => left.replaceAll(value, '•••'), text)
}

const linesOf = (value: string) => value.split(/\r?\n/).map((line) => line.trim())

export const secretContents = ({ secrets, configs }: Model): Pair[] =>
  [...Object.entries(configs), ...Object.entries(secrets)].flatMap(([key, { content }]) =>
    content === undefined ? [] : [{ key, value: content }],
  )

import type { Pair } from '../../../contract/shared/entries.ts'
import { replaceLoneSurrogates } from '../../platform/text/plain-text.ts'
import { containsPassword, looksSecret } from '../templates/looks-secret.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import { findApplication } from '../applications/application.ts'
import { readApplicationConfig } from '../applications/config.ts'
import { openReleaseCompose, openReleaseEnvironment, type Release } from '../applications/release.ts'

/** Shorter values would match ordinary words. */
const minLength = 8
const minTruncatedLength = 250
const hidden = '•••'

export interface SecretCollector {
  /** Adds secrets at any time; later calls of `hide` mask these values as well. */
  learn(variables: readonly Pair[]): void
}

export function createSecretMask(): SecretCollector & { hide(text: string): string } {
  const secrets = new Set<string>()
  return {
    learn(variables) {
      for (const { key, value } of variables)
        for (const secret of secretForms(key, value)) if (secret.length >= minLength) secrets.add(secret)
    },
    hide(text) {
      let shown = text.replaceAll(passwords, `$1${hidden}@`)
      // Replace longer secrets first: a shorter one may be part of them.
      for (const secret of [...secrets].toSorted((a, b) => b.length - a.length))
        shown = hidePartialSecret(shown.replaceAll(secret, hidden), secret)
      return shown
    },
  }
}

/** A line that was truncated before may end in the middle of a secret. */
function hidePartialSecret(text: string, secret: string): string {
  if (text.length < minTruncatedLength) return text
  const first = secret.slice(0, minLength)
  for (let index = text.indexOf(first); index >= 0; index = text.indexOf(first, index + 1))
    if (secret.startsWith(text.slice(index))) return `${text.slice(0, index)}${hidden}`
  return text
}

const passwords = /(:\/\/[^/\s:@]*:)[^/\s@]+@/g

/** Includes URL and JSON encodings and single lines, because logs are read line by line. */
function secretForms(key: string, value: string): string[] {
  if (!looksSecret(key) && !containsPassword(value)) return []
  const password = /:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value)?.[1] ?? ''
  const whole = [value, encodeURIComponent(replaceLoneSurrogates(value)), JSON.stringify(value).slice(1, -1)]
  return [...whole, ...value.split(/\r?\n/).map((line) => line.trim()), password]
}

interface ApplicationRef {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'> | null
}

/** The current configuration and the release may differ, and a log can contain secrets of either. */
export async function addApplicationSecrets(
  ctx: Context,
  db: Db,
  { workspace_id: workspaceId, application_id: id }: ApplicationRef,
  mask: SecretCollector,
  release?: Release,
): Promise<string | undefined> {
  const application = id === null ? undefined : await findApplication(db, workspaceId, id)
  if (!application) return undefined
  const { env, config, compose } = await readApplicationConfig(ctx, db, application)
  mask.learn(env)
  mask.learn(config.build?.build_args ?? [])
  if (compose) mask.learn(readComposeVariables(compose.text))
  if (release) learnRelease(ctx, release, mask)
  return application.name
}

function learnRelease(ctx: Context, release: Release, mask: SecretCollector): void {
  mask.learn(openReleaseEnvironment(ctx, release))
  for (const { environment } of Object.values(openReleaseCompose(ctx, release)?.model.services ?? {}))
    mask.learn(Object.entries(environment ?? {}).map(([key, value]) => ({ key, value: value ?? '' })))
}

/** Reads the raw text, because a compose file that was never deployed has no model yet. */
const readComposeVariables = (text: string): Pair[] =>
  [...text.matchAll(/^[ \t-]*["']?(\w+)["']?[ \t]*[:=][ \t]*(["']?)(.+?)\2["']?[ \t]*\r?$/gm)].map(
    ([, key = '', , value = '']) => ({ key, value }),
  )

import type { Pair } from '../../../contract/shared/entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../tables.ts'
import { findApplication } from '../applications/application.ts'
import { readApplicationConfig } from '../applications/config.ts'
import { openReleaseCompose, openReleaseEnvironment, type Release } from '../applications/release.ts'
import type { SecretCollector } from './secret-mask.ts'

interface ApplicationRef {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'> | null
}

/**
 * Adds the secrets of the current configuration and of the release: they may differ, and a log can contain either.
 * Returns the application's name.
 */
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

/**
 * Reads variables from the raw text (`KEY: value` or `- KEY=value`), because a compose file that was never deployed
 * has no model yet.
 */
const readComposeVariables = (text: string): Pair[] =>
  [...text.matchAll(/^[ \t-]*["']?(\w+)["']?[ \t]*[:=][ \t]*(["']?)(.+?)\2["']?[ \t]*\r?$/gm)].map(
    ([, key = '', , value = '']) => ({ key, value }),
  )

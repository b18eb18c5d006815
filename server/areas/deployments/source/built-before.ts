import type { Release } from '../../applications/release.ts'
import { type Attempt, hostFor } from '../run/attempt.ts'
import { findImage, type ImageFacts } from '../images/image-of.ts'
import { buildOf, environmentFor } from './source-work.ts'

/** Of all that an image is built from: where it is the same, so is the image. Nobody guesses a secret from it. */
export function markOf(attempt: Attempt, sha: string): string {
  const { ctx } = attempt
  const build = buildOf(attempt)
  const env = new Map(environmentFor(attempt).map(({ key, value }) => [key, value]))
  const made = [
    sha,
    build.repository_id,
    build.folder,
    build.builder,
    build.dockerfile,
    build.generated,
    build.target,
    build.build_args,
    build.build_secrets.map((key) => [key, env.get(key)]),
    build.submodules,
    build.lfs,
  ]
  return ctx.secrets.mark(JSON.stringify(made))
}

/** The image of a release that was built from just the same, where it is still on the server. */
export async function findSame(
  attempt: Attempt,
  sha: string,
): Promise<{ release: Release; image: ImageFacts } | undefined> {
  const { ctx, application, deployment, signal } = attempt
  if (deployment.rebuild) return undefined
  const release = await ctx.db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('build_mark', '=', markOf(attempt, sha))
    .where('kept', '=', true)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const image = release && (await findImage(hostFor(attempt).docker, release.image_id, signal))
  return image && { release, image }
}

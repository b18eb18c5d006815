import type { Release } from '../../applications/release.ts'
import { type DeploymentRun, hostOfRun } from '../run/deployment-run.ts'
import { findImage, type ImageFacts } from '../images/find-image.ts'
import { buildConfig, requestedEnvironment } from './source-work.ts'

/** Keyed hash of everything that determines the image; keyed, so that no secret can be guessed from it. */
export function buildFingerprint(attempt: DeploymentRun, sha: string): string {
  const { ctx } = attempt
  const build = buildConfig(attempt)
  const env = new Map(requestedEnvironment(attempt).map(({ key, value }) => [key, value]))
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
  return ctx.secrets.fingerprint(JSON.stringify(made))
}

/** Finds the image of a kept release with the same fingerprint. */
export async function findReusableImage(
  attempt: DeploymentRun,
  sha: string,
): Promise<{ release: Release; image: ImageFacts } | undefined> {
  const { ctx, application, deployment, signal } = attempt
  if (deployment.rebuild) return undefined
  const release = await ctx.db
    .selectFrom('releases')
    .selectAll()
    .where('workspace_id', '=', application.workspace_id)
    .where('application_id', '=', application.id)
    .where('build_mark', '=', buildFingerprint(attempt, sha))
    .where('kept', '=', true)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  const image = release && (await findImage(hostOfRun(attempt).docker, release.image_id, signal))
  return image && { release, image }
}

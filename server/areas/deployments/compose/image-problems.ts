import type { Context } from '../../../context.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { getServerHost } from '../../servers/server-host.ts'
import type { ServerRow } from '../../servers/server.ts'
import { findImage, imageLostMessage } from '../images/ensure-image.ts'

interface ComposeScope {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/** Lists images that are known to be missing without asking a registry. */
export async function imageProblems(
  of: ComposeScope,
  model: Model,
  { release, signal }: { release: Release | undefined; signal: AbortSignal },
): Promise<string[]> {
  const { ctx, server } = of
  const { docker } = getServerHost(ctx, server)
  const isThere = async (name: string) => (await findImage(docker, name, signal)) !== undefined
  const found = await Promise.all(
    release
      ? (release.config.services ?? []).map(async ({ name, image_id, digest }) =>
          digest === null && !(await isThere(image_id))
            ? [imageLostMessage(server, `${name} in release ${release.number}`)]
            : [],
        )
      : (await listNeverPulled(of, model)).map(async ({ image, before }) =>
          (before !== undefined && (await isThere(before))) || (await isThere(image))
            ? []
            : [imageMissingMessage(server, image)],
        ),
  )
  return found.flat()
}

/** Includes the image of the running service, which is reused. */
async function listNeverPulled({ ctx, application }: ComposeScope, { services }: Model) {
  const never = Object.entries(services).flatMap(([name, { image, build, pull_policy }]) =>
    image !== undefined && !build && pull_policy === 'never' ? [{ name, image }] : [],
  )
  const { workspace_id, release_id } = application
  const live =
    never.length > 0 && release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  return never.map(({ name, image }) => ({
    image,
    before: live?.config.services?.find((one) => one.name === name && one.image === image)?.image_id,
  }))
}

export const imageMissingMessage = ({ name }: Pick<ServerRow, 'name'>, image: string) =>
  `The image ${image} is not on ${name}, and its pull_policy is never. Load it on the server, or change the pull_policy.`

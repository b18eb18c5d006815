import { listReleaseImages, type Release } from '../../applications/release.ts'
import { readImageName } from '../../images/image-name.ts'
import { allSettledOrThrow } from '../run/all-settled.ts'
import { type DeploymentRun, hostOfRun } from '../run/deployment-run.ts'

/** Tags the images, so that no prune removes them as unused. */
export async function tagReleaseImages(attempt: DeploymentRun, release: Release): Promise<void> {
  const { docker } = hostOfRun(attempt)
  await allSettledOrThrow(
    listReleaseImages(release).map(({ tag: name, image_id }) => {
      const { repository: repo, reference: tag } = readImageName(name)
      const query = new URLSearchParams({ repo, tag }).toString()
      return docker.json({
        method: 'POST',
        path: `/images/${image_id}/tag?${query}`,
        signal: attempt.signal,
      })
    }),
  )
}

import { listReleaseImages, type Release } from '../../applications/release.ts'
import { readImageName } from '../../images/image-name.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, hostFor } from '../run/attempt.ts'

/** Under names of ours they are not removed as ones that nobody uses. */
export async function keepImages(attempt: Attempt, release: Release): Promise<void> {
  const { docker } = hostFor(attempt)
  await allEnded(
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

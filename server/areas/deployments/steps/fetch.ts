import { allSettledOrThrow } from '../../../platform/async.ts'
import { pullServiceImages } from '../compose/pull-service-images.ts'
import { isCompose } from '../compose/read-compose.ts'
import { assertCompatible, ensureReleaseImage, ensureImage } from '../images/ensure-image.ts'
import { registryDigest } from '../images/find-image.ts'
import { tagReleaseImages } from '../images/release-images.ts'
import { requestedConfig, createRelease } from '../run/create-release.ts'
import { type DeploymentRun, requireRelease } from '../run/deployment-run.ts'
import { fetchSource } from '../source/fetch-source.ts'
import { isRepository } from '../source/source-work.ts'
import { decidePlan } from './decide-plan.ts'

/** Makes the images available on the server, creates the release and decides the plan. */
export async function fetchStep(attempt: DeploymentRun): Promise<void> {
  if (isRepository(attempt)) return fetchSource(attempt)
  if (isCompose(attempt)) await pullServiceImages(attempt)
  else await fetchImage(attempt)
  await allSettledOrThrow([tagReleaseImages(attempt, requireRelease(attempt)), decidePlan(attempt)])
}

async function fetchImage(attempt: DeploymentRun): Promise<void> {
  const { release, log } = attempt
  const image = release
    ? await ensureReleaseImage(attempt, release, `release ${release.number}`)
    : await ensureImage(attempt, requestedConfig(attempt).image)
  assertCompatible(attempt, image, attempt.deployment.tag ?? 'The image')
  if (release) log.write(`Using release ${release.number}: ${release.image} (${image.Id.slice(7, 19)})`)
  else {
    const config = requestedConfig(attempt)
    const digest = registryDigest(image, config.image) ?? null
    const created = await createRelease(attempt, { config, image: config.image, image_id: image.Id, digest })
    attempt.release = created
    log.write(`Release ${created.number} created: ${created.image} (${image.Id.slice(7, 19)})`)
  }
}

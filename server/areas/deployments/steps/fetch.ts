import { allEnded } from '../run/all-ended.ts'
import { type Attempt, releaseOf } from '../run/attempt.ts'
import { decide } from './decide.ts'
import { fetchServices } from '../compose/fetch-services.ts'
import { fetchSource } from '../source/fetch-source.ts'
import { digestOf } from '../images/image-of.ts'
import { keepImages } from '../images/keep-images.ts'
import { configOf, makeRelease } from '../run/make-release.ts'
import { isCompose } from '../compose/model-for.ts'
import { mustFit, obtainAgain, obtainImage } from '../images/obtain-image.ts'
import { isRepository } from '../source/source-work.ts'

/**
 * What is deployed is on the server and stays there under the release's name; the release is written down, and what is
 * to be done for it.
 */
export async function fetch(attempt: Attempt): Promise<void> {
  if (isRepository(attempt)) return fetchSource(attempt)
  if (isCompose(attempt)) await fetchServices(attempt)
  else await fetchImage(attempt)
  await allEnded([keepImages(attempt, releaseOf(attempt)), decide(attempt)])
}

async function fetchImage(attempt: Attempt): Promise<void> {
  const { release, log } = attempt
  const image = release
    ? await obtainAgain(attempt, release, `release ${release.number}`)
    : await obtainImage(attempt, configOf(attempt).image)
  mustFit(attempt, image, attempt.deployment.tag ?? 'The image')
  if (release) log.say(`Using release ${release.number}: ${release.image} (${image.Id.slice(7, 19)})`)
  else {
    const config = configOf(attempt)
    const digest = digestOf(image, config.image) ?? null
    const created = await makeRelease(attempt, { config, image: config.image, image_id: image.Id, digest })
    attempt.release = created
    log.say(`Release ${created.number} created: ${created.image} (${image.Id.slice(7, 19)})`)
  }
}

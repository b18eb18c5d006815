import { newId } from '../../../platform/ids.ts'
import {
  findNextNumber,
  insertRelease,
  type Release,
  releaseEnvPlace,
  releaseRepository,
} from '../../applications/release.ts'
import { readImageName, writeImageName } from '../../images/image-name.ts'
import { type Attempt, Failed, hostFor, tellChange, writeAs } from '../attempt.ts'
import { digestOf, findImage, fitsOn, type ImageFacts } from '../image-of.ts'
import { NotGiven, pull } from '../pull.ts'
import { deploymentEnvPlace } from '../request-deployment.ts'
import { updateDeployment } from '../store.ts'

/** The image is on the server and stays there under the release's name; the release is written down. */
export async function fetch(attempt: Attempt): Promise<void> {
  const { release, log } = attempt
  const image = release ? await fetchAgain(attempt, release) : await fetchNew(attempt)
  if (!fitsOn(image, attempt.server.architecture))
    throw new Failed(
      `${attempt.deployment.tag ?? 'The image'} is built for the processor ${image.Architecture}, and ${attempt.server.name} has ${attempt.server.architecture ?? 'another'}. Choose an image or a tag that is built for it.`,
    )
  attempt.release ??= await makeRelease(attempt, image)
  await keep(attempt, attempt.release)
  log.say(`Release ${attempt.release.number} is ${attempt.release.image} (${image.Id.slice(7, 19)}).`)
}

/** A tag may have moved, so its registry is asked; what was made on the server is nowhere else. */
async function fetchNew(attempt: Attempt): Promise<ImageFacts> {
  const { docker } = hostFor(attempt)
  const { log, signal } = attempt
  const name = writeImageName(readImageName(attempt.deployment.config?.image ?? ''))
  const present = await findImage(docker, name, signal)
  const isFixed = name.includes('@')
  if (present && (isFixed || !digestOf(present, name))) {
    log.say(
      isFixed ? `${name} is on the server already.` : `${name} is on the server only; no registry is asked.`,
    )
    return present
  }
  try {
    await pull(attempt, name)
  } catch (error) {
    if (!present || !(error instanceof NotGiven)) throw error
    log.say(`${error.message} The ${name} that is on the server already is used instead.`)
    return present
  }
  return getImage(attempt, name)
}

/** By its id, so that no registry is needed; one that somebody removed is asked for by its digest. */
async function fetchAgain(attempt: Attempt, release: Release): Promise<ImageFacts> {
  const present = await findImage(hostFor(attempt).docker, release.image_id, attempt.signal)
  if (present) return present
  const lost = `The image of release ${release.number} is no longer on ${attempt.server.name}`
  if (!release.digest) throw new Failed(`${lost}, and it is in no registry. Deploy another image instead.`)
  attempt.log.say(`${lost}. Its registry is asked for it.`)
  const name = `${readImageName(release.image).repository}@${release.digest}`
  await pull(attempt, name)
  const image = await getImage(attempt, name)
  if (image.Id !== release.image_id) throw new Failed(`${lost}, and its registry gives another one for it.`)
  return image
}

async function getImage(attempt: Attempt, name: string): Promise<ImageFacts> {
  const image = await findImage(hostFor(attempt).docker, name, attempt.signal)
  if (!image) throw new Failed(`${name} was removed from ${attempt.server.name} while it was being deployed.`)
  return image
}

/** With what was configured when it was asked for. */
function makeRelease(attempt: Attempt, image: ImageFacts): Promise<Release> {
  const { ctx, deployment, application } = attempt
  const { config } = deployment
  if (!config) throw new Error('A deployment without a release has a configuration.')
  const env = ctx.secrets.open(deploymentEnvPlace(deployment.id), deployment.env_sealed ?? '')
  const id = newId('release')
  return writeAs(attempt, async (trx) => {
    const release = await insertRelease(trx, {
      id,
      workspace_id: application.workspace_id,
      application_id: application.id,
      deployment_id: deployment.id,
      number: await findNextNumber(trx, application.workspace_id, application.id),
      image: config.image,
      digest: digestOf(image, config.image) ?? null,
      image_id: image.Id,
      config: JSON.stringify(config),
      env_sealed: ctx.secrets.seal(releaseEnvPlace(id), env),
    })
    await updateDeployment(trx, application.workspace_id, deployment.id, { release_id: id })
    await tellChange(trx, attempt)
    return release
  })
}

/** Under a name of ours it is not removed as one that nobody uses. */
async function keep(attempt: Attempt, release: Release): Promise<void> {
  const tag = new URLSearchParams({
    repo: releaseRepository(release.application_id),
    tag: String(release.number),
  })
  await hostFor(attempt).docker.json({
    method: 'POST',
    path: `/images/${release.image_id}/tag?${tag.toString()}`,
    signal: attempt.signal,
  })
}

import type { Release } from '../../applications/release.ts'
import { readImageName, writeImageName } from '../../images/image-name.ts'
import type { ServerRow } from '../../servers/server.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { digestOf, findImage, fitsOn, type ImageFacts, isFor } from './image-of.ts'
import { followPull, NotPulled, Stalled } from '../../images/follow-pull.ts'
import { stallsAfter } from '../../images/pull-image.ts'
import { stalled, whyFailed } from '../../images/why-failed.ts'

/** A tag may have moved, so its registry is asked; what was made on the server is nowhere else. */
export async function obtainImage(attempt: Attempt, given: string, platform?: string): Promise<ImageFacts> {
  const { docker } = hostFor(attempt)
  const { log, signal } = attempt
  const name = writeImageName(readImageName(given))
  const found = await findImage(docker, name, signal)
  const isOurs = found && !digestOf(found, name)
  const present = found && (isOurs || isFor(found, platform)) ? found : undefined
  const isFixed = name.includes('@')
  if (present && (isFixed || isOurs)) {
    log.say(isFixed ? `${name} is already on the server` : `${name} is a local image; nothing to pull`)
    return present
  }
  await attempt.entered
  try {
    await pull(attempt, name, platform)
  } catch (error) {
    if (!present || !(error instanceof NotGiven)) throw error
    log.say(`${error.message} Using the copy of ${name} on the server.`)
    return present
  }
  return getImage(attempt, name)
}

type Kept = Pick<Release, 'image' | 'image_id' | 'digest'>

/** By its id, so that no registry is needed; one that somebody removed is asked for by its digest. */
export async function obtainAgain(
  attempt: Attempt,
  kept: Kept,
  what: string,
  platform?: string,
): Promise<ImageFacts> {
  const present = await findImage(hostFor(attempt).docker, kept.image_id, attempt.signal)
  if (present) return present
  const lost = `The image of ${what} is no longer on ${attempt.server.name}`
  if (!kept.digest) throw new Failed(whyLost(attempt.server, what))
  attempt.log.say(`${lost}. Pulling it again.`)
  const name = `${readImageName(kept.image).repository}@${kept.digest}`
  await attempt.entered
  await pull(attempt, name, platform)
  const image = await getImage(attempt, name)
  if (image.Id !== kept.image_id)
    throw new Failed(
      `${lost}, and its registry returned a different image. Deploy the application again instead.`,
    )
  return image
}

/** Of one that was made on the server. */
export const whyLost = ({ name }: Pick<ServerRow, 'name'>, what: string) =>
  `The image of ${what} is no longer on ${name}, and no registry has it. Deploy the application again instead.`

async function getImage(attempt: Attempt, name: string): Promise<ImageFacts> {
  const image = await findImage(hostFor(attempt).docker, name, attempt.signal)
  if (!image)
    throw new Failed(`${name} was removed from ${attempt.server.name} during the deployment. Deploy again.`)
  return image
}

/** Who names a platform has chosen it, and has to see to it that the server runs that. */
export const fits = ({ server }: Attempt, image: ImageFacts, platform: string | undefined) =>
  platform === undefined ? fitsOn(image, server.architecture) : isFor(image, platform)

export function mustFit(attempt: Attempt, image: ImageFacts, name: string, platform?: string): void {
  const { server } = attempt
  if (fits(attempt, image, platform)) return
  if (platform !== undefined)
    throw new Failed(
      `${name} is built for ${image.Os}/${image.Architecture}, but the compose file requires ${platform}. Choose another image or tag, or remove \`platform\` from the file.`,
    )
  throw new Failed(
    `${name} is built for ${image.Architecture}, but ${server.name} is ${server.architecture ?? 'another architecture'}. Choose another image or tag.`,
  )
}

/** Milliseconds between two lines that tell how far it is. */
const tellEvery = 2_000

/** The registry has said for certain that this cannot be had, or there is no room for it. */
const isFinal =
  /manifest unknown|manifest for .* not found|no matching manifest|does not match the specified platform|no space left/i

/** Why the registry did not give it, although it might at another time. */
class NotGiven extends Failed {}

/** Has Docker pull it, and tells in the log how far it is. */
async function pull({ ctx, server, log, signal }: Attempt, image: string, platform?: string): Promise<void> {
  const began = Date.now()
  log.say(`Pulling ${image}${platform ? ` for ${platform}` : ''}`)
  let told = Date.now()
  try {
    await followPull({ ctx, signal, server, image, platform }, stallsAfter, async (layers) => {
      if (Date.now() - told < tellEvery) return
      told = Date.now()
      const [done, all] = [layers.filter(({ status }) => status === 'done').length, layers.length]
      const current = layers.reduce((sum, layer) => sum + layer.current, 0)
      const total = layers.reduce((sum, layer) => sum + (layer.total ?? layer.current), 0)
      log.say(`${done}/${all} layers, ${inMegabytes(current)}/${inMegabytes(total)} MB`)
    })
    log.say(`Pulled ${image} in ${((Date.now() - began) / 1_000).toFixed(1)} s`)
  } catch (error) {
    if (error instanceof Stalled) throw new NotGiven(stalled(image))
    if (!(error instanceof NotPulled)) throw error
    const why = whyFailed(image, error.message, error.registry)
    throw isFinal.test(error.message) ? new Failed(why) : new NotGiven(why)
  }
}

const inMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

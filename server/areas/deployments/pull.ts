import { followPull, NotPulled, Stalled } from '../images/follow-pull.ts'
import { stallsAfter } from '../images/pull-image.ts'
import { stalled, whyFailed } from '../images/why-failed.ts'
import { type Attempt, Failed } from './attempt.ts'

/** Milliseconds between two lines that tell how far it is. */
const tellEvery = 2_000

/** The registry has said for certain that this cannot be had, or there is no room for it. */
const isFinal =
  /manifest unknown|manifest for .* not found|no matching manifest|does not match the specified platform|no space left/i

/** Why the registry did not give it, although it might at another time. */
export class NotGiven extends Failed {}

/** Has Docker pull it, and tells in the log how far it is. */
export async function pull(
  { ctx, server, log, signal }: Attempt,
  image: string,
  platform?: string,
): Promise<void> {
  log.say(`Pulling ${image}${platform ? ` for ${platform}` : ''}.`)
  let told = Date.now()
  try {
    await followPull({ ctx, signal, server, image, platform }, stallsAfter, async (layers) => {
      if (Date.now() - told < tellEvery) return
      told = Date.now()
      const [done, all] = [layers.filter(({ status }) => status === 'done').length, layers.length]
      const current = layers.reduce((sum, layer) => sum + layer.current, 0)
      const total = layers.reduce((sum, layer) => sum + (layer.total ?? layer.current), 0)
      log.say(`${done} of ${all} layers are there, ${inMegabytes(current)} of ${inMegabytes(total)} MB.`)
    })
  } catch (error) {
    if (error instanceof Stalled) throw new NotGiven(stalled(image))
    if (!(error instanceof NotPulled)) throw error
    const why = whyFailed(image, error.message, error.registry)
    throw isFinal.test(error.message) ? new Failed(why) : new NotGiven(why)
  }
}

const inMegabytes = (bytes: number) => (bytes / 1e6).toFixed(1)

import type { ReleaseService } from '../../../tables.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import { hashOf } from '../../compose/hash.ts'
import type { Model, Service } from '../../compose/model.ts'
import { serviceOf } from '../../compose/release-service.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { buildImages } from '../source/build-images.ts'
import { digestOf, findImage, type ImageFacts } from '../images/image-of.ts'
import { notPulled } from './image-problems.ts'
import { configOf, makeRelease } from '../run/make-release.ts'
import { modelFor, sourceOf } from './model-for.ts'
import { fits, mustFit, obtainAgain, obtainImage } from '../images/obtain-image.ts'
import { publishedBy } from './published-by.ts'
import { listTargets } from '../containers/routed.ts'

/** The images of all services, one after the other: a server that runs others is not to be out of breath. */
export async function fetchServices(attempt: Attempt): Promise<void> {
  const { release, log } = attempt
  const model = await modelFor(attempt)
  if (!model) throw new Error('A compose file has services.')
  if (release)
    for (const one of release.config.services ?? [])
      await fetchKept(attempt, release, one, model.services[one.name]?.platform)
  else attempt.release = await makeServices(attempt, model)
  const { number, config } = attempt.release ?? { number: 0, config: configOf(attempt) }
  for (const { name, image, image_id } of config.services ?? [])
    log.say(`Release ${number}: ${name} uses ${image} (${image_id.slice(7, 19)})`)
}

async function fetchKept(
  attempt: Attempt,
  { number }: Release,
  one: ReleaseService,
  platform: string | undefined,
): Promise<void> {
  const image = await obtainAgain(attempt, one, `${one.name} in release ${number}`, platform)
  mustFit(attempt, image, one.image, platform)
}

async function makeServices(attempt: Attempt, model: Model): Promise<Release> {
  const { ctx, application, server } = attempt
  const running = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const built = await buildImages(
    attempt,
    model,
    Object.keys(model.services).filter((name) => model.services[name]?.build),
  )
  const targets = await listTargets(ctx.db, application)
  const { lifted } = publishedBy(model, server)
  const services: ReleaseService[] = []
  for (const [name, service] of Object.entries(model.services)) {
    const before = running?.config.services?.find((one) => one.name === name)
    const id = built.get(name)
    const image = id === undefined ? await fetchOne(attempt, service, before) : await getBuilt(attempt, id)
    const reference = service.image ?? name
    mustFit(attempt, image, reference, service.platform)
    const ports = lifted.filter((one) => one.service === name)
    services.push(
      serviceOf({
        name,
        model,
        imageId: image.Id,
        image: reference,
        digest: id === undefined ? (digestOf(image, reference) ?? null) : null,
        hash: hashOf(service, model, image.Id, (text) => ctx.secrets.mark(text)),
        ports,
        routed: ports.length > 0 || targets.some((one) => one.service === name && one.kind === 'address'),
      }),
    )
  }
  const { text, profiles } = sourceOf(attempt)
  const replicas = services.reduce((sum, one) => sum + one.replicas, 0)
  return makeRelease(attempt, {
    config: { ...configOf(attempt), services, replicas },
    image: '',
    image_id: '',
    digest: null,
    compose: { text, profiles, model },
  })
}

/** As the file says; unless it says so, what runs already is not asked for again. */
async function fetchOne(
  attempt: Attempt,
  service: Service,
  before: ReleaseService | undefined,
): Promise<ImageFacts> {
  const { docker } = hostFor(attempt)
  const name = service.image ?? ''
  const policy = typeof service['pull_policy'] === 'string' ? service['pull_policy'] : ''
  const find = (reference: string) => findImage(docker, reference, attempt.signal)
  const isRight = (image: ImageFacts) => fits(attempt, image, service.platform)
  if (before?.image === name && policy !== 'always') {
    const same = await find(before.image_id)
    if (same && isRight(same)) return same
  }
  const present = ['never', 'missing', 'if_not_present'].includes(policy) ? await find(name) : undefined
  if (present && (policy === 'never' || isRight(present))) return present
  if (policy === 'never') throw new Failed(notPulled(attempt.server, name))
  return obtainImage(attempt, name, service.platform)
}

async function getBuilt(attempt: Attempt, id: string): Promise<ImageFacts> {
  const image = await findImage(hostFor(attempt).docker, id, attempt.signal)
  if (!image)
    throw new Failed(
      `The built image was removed from ${attempt.server.name} during the deployment. Deploy again.`,
    )
  return image
}

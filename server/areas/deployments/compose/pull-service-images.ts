import type { ReleaseService } from '../../../tables.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import type { Model, Service } from '../../compose/model.ts'
import { toReleaseService } from '../../compose/release-service.ts'
import { serviceHash } from '../../compose/service-hash.ts'
import { composePorts } from '../containers/published-ports.ts'
import { listRouteTargets } from '../containers/routed.ts'
import { isCompatible, assertCompatible, ensureReleaseImage, ensureImage } from '../images/ensure-image.ts'
import { registryDigest, findImage, type ImageFacts } from '../images/find-image.ts'
import { requestedConfig, createRelease } from '../run/create-release.ts'
import { type DeploymentRun, DeploymentFailed, hostOfRun } from '../run/deployment-run.ts'
import { buildImages } from '../source/build-images.ts'
import { imageMissingMessage } from './image-problems.ts'
import { loadModel, composeSource } from './read-compose.ts'

/** Pulls the images one after the other, to limit the load on the server. */
export async function pullServiceImages(attempt: DeploymentRun): Promise<void> {
  const { release, log } = attempt
  const model = await loadModel(attempt)
  if (!model) throw new Error('A compose file has services.')
  if (release)
    for (const one of release.config.services ?? [])
      await restoreServiceImage(attempt, release, one, model.services[one.name]?.platform)
  else attempt.release = await createComposeRelease(attempt, model)
  const { number, config } = attempt.release ?? { number: 0, config: requestedConfig(attempt) }
  for (const { name, image, image_id } of config.services ?? [])
    log.write(`Release ${number}: ${name} uses ${image} (${image_id.slice(7, 19)})`)
}

async function restoreServiceImage(
  attempt: DeploymentRun,
  { number }: Release,
  one: ReleaseService,
  platform: string | undefined,
): Promise<void> {
  const image = await ensureReleaseImage(attempt, one, `${one.name} in release ${number}`, platform)
  assertCompatible(attempt, image, one.image, platform)
}

async function createComposeRelease(attempt: DeploymentRun, model: Model): Promise<Release> {
  const { ctx, application, server } = attempt
  const running = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const built = await buildImages(
    attempt,
    model,
    Object.keys(model.services).filter((name) => model.services[name]?.build),
  )
  const targets = await listRouteTargets(ctx.db, application)
  const { viaProxy: lifted } = composePorts(model, server)
  const services: ReleaseService[] = []
  for (const [name, service] of Object.entries(model.services)) {
    const before = running?.config.services?.find((one) => one.name === name)
    const id = built.get(name)
    const image =
      id === undefined ? await pullServiceImage(attempt, service, before) : await getBuiltImage(attempt, id)
    const reference = service.image ?? name
    assertCompatible(attempt, image, reference, service.platform)
    const ports = lifted.filter((one) => one.service === name)
    services.push(
      toReleaseService({
        name,
        model,
        imageId: image.Id,
        image: reference,
        digest: id === undefined ? (registryDigest(image, reference) ?? null) : null,
        hash: serviceHash(service, model, image.Id, (text) => ctx.secrets.fingerprint(text)),
        ports,
        routed: ports.length > 0 || targets.some((one) => one.service === name && one.kind === 'address'),
      }),
    )
  }
  const { text, profiles } = composeSource(attempt)
  const replicas = services.reduce((sum, one) => sum + one.replicas, 0)
  return createRelease(attempt, {
    config: { ...requestedConfig(attempt), services, replicas },
    image: '',
    image_id: '',
    digest: null,
    compose: { text, profiles, model },
  })
}

/** Follows the pull_policy; by default the image of the running service is reused. */
async function pullServiceImage(
  attempt: DeploymentRun,
  service: Service,
  before: ReleaseService | undefined,
): Promise<ImageFacts> {
  const { docker } = hostOfRun(attempt)
  const name = service.image ?? ''
  const policy = typeof service['pull_policy'] === 'string' ? service['pull_policy'] : ''
  const find = (reference: string) => findImage(docker, reference, attempt.signal)
  const isRight = (image: ImageFacts) => isCompatible(attempt, image, service.platform)
  if (before?.image === name && policy !== 'always') {
    const same = await find(before.image_id)
    if (same && isRight(same)) return same
  }
  const present = ['never', 'missing', 'if_not_present'].includes(policy) ? await find(name) : undefined
  if (present && (policy === 'never' || isRight(present))) return present
  if (policy === 'never') throw new DeploymentFailed(imageMissingMessage(attempt.server, name))
  return ensureImage(attempt, name, service.platform)
}

async function getBuiltImage(attempt: DeploymentRun, id: string): Promise<ImageFacts> {
  const image = await findImage(hostOfRun(attempt).docker, id, attempt.signal)
  if (!image)
    throw new DeploymentFailed(
      `The built image was removed from ${attempt.server.name} during the deployment. Deploy again.`,
    )
  return image
}

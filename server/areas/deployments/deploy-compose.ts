import { allSettledOrThrow } from '../../platform/async.ts'
import type { ReleaseService } from '../../tables.ts'
import { findRelease, type Release } from '../applications/release.ts'
import type { Model, Service } from '../compose/model.ts'
import { toReleaseService } from '../compose/read/read-service.ts'
import { serviceHash } from '../compose/service-hash.ts'
import { startWaves } from '../compose/start-order.ts'
import { stopConflictingServices } from './cleanup/stop-to-make-room.ts'
import { checkComposeOnServer, composeHostAccessRefusal } from './compose/check-on-server.ts'
import { composeEnvironment, createComposeModelReader, composeSource } from './compose/read-compose.ts'
import { ensureComposeNetworks } from './compose/compose-networks.ts'
import { ensureComposeVolumes } from './compose/compose-volumes.ts'
import { composePorts } from './containers/published-ports.ts'
import { listRouteTargets } from './containers/route-targets.ts'
import { type ServiceSpec, servicesToStart } from './containers/specification.ts'
import {
  assertCompatible,
  ensureImage,
  ensureReleaseImage,
  isCompatible,
  findImage,
  type ImageFacts,
  registryDigest,
} from './images/ensure-image.ts'
import { ensureProjectNetwork } from './networks/own-networks.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  getRunHost,
  type ReleaseRun,
  step,
  toRunScope,
} from './run/deployment-run.ts'
import {
  createRelease,
  findSavedRelease,
  loadReleaseRun,
  prepareRelease,
  requestedConfig,
} from './run/release-run.ts'
import { buildImages, removeBuilds } from './source/build-images.ts'
import {
  checkDocker,
  checkFreeSpace,
  cleanUpEarlier,
  findComposeProblem,
  prepareServer,
} from './steps/check.ts'
import { startService } from './steps/start.ts'
import { switchTraffic } from './steps/switch-traffic.ts'
import { checkHealth, waitForDependencies } from './steps/wait-until-healthy.ts'

export async function deployCompose(run: DeploymentRun): Promise<ReleaseRun> {
  const readModel = createComposeModelReader(run)
  await step(run, 'check', (run) => checkServer(run, readModel))
  const release =
    (await step(run, 'fetch', async (run) => fetchImages(run, await readModel()))) ??
    (await loadReleaseRun(run))
  await step(release, 'start', startServices)
  await step(release, 'wait', checkHealth)
  await step(release, 'switch', switchTraffic)
  return release
}

async function checkServer(run: DeploymentRun, readModel: () => Promise<Model>): Promise<void> {
  await prepareServer(run, findComposeProblem(readModel))
  await Promise.all([
    checkDocker(run),
    // Without free space Compose fails too, with a worse message.
    checkFreeSpace(run).then(async () => checkCompose(run, await readModel())),
    cleanUpEarlier(run),
  ])
}

async function checkCompose(run: DeploymentRun, model: Model): Promise<void> {
  const { release, deployment, signal, log } = run
  const { refused, hostAccess, warnings } = await checkComposeOnServer(toRunScope(run), model, {
    env: composeEnvironment(run),
    release,
    signal,
  })
  const [first, ...more] = refused
  if (first !== undefined) throw new DeploymentFailed(first, more)
  const reason = composeHostAccessRefusal({
    hostAccess,
    allowHostAccess: deployment.allow_host_access,
    isBack: release !== undefined,
  })
  if (reason !== undefined) throw new DeploymentFailed(reason, hostAccess)
  for (const one of warnings) log.write(`Warning: ${one}`)
}

async function fetchImages(run: DeploymentRun, model: Model): Promise<ReleaseRun> {
  const existing = await findSavedRelease(run)
  if (existing) await restoreImages(run, existing, model)
  const release = existing ?? (await createComposeRelease(run, model))
  for (const { name, image, image_id } of release.config.services ?? [])
    run.log.write(`Release ${release.number}: ${name} uses ${image} (${image_id.slice(7, 19)})`)
  return prepareRelease(run, release, model)
}

async function restoreImages(run: DeploymentRun, release: Release, model: Model): Promise<void> {
  for (const one of release.config.services ?? []) {
    const platform = model.services[one.name]?.platform
    const what = `${one.name} in release ${release.number}`
    assertCompatible(run, await ensureReleaseImage(run, one, what, platform), one.image, platform)
  }
}

async function createComposeRelease(run: DeploymentRun, model: Model): Promise<Release> {
  const { ctx, application } = run
  const running = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const built = await buildImages(
    run,
    model,
    Object.keys(model.services).filter((name) => model.services[name]?.build),
  )
  const targets = await listRouteTargets(ctx.db, application)
  const { viaProxy: lifted } = composePorts(model, run.server())
  const services: ReleaseService[] = []
  for (const [name, service] of Object.entries(model.services)) {
    const before = running?.config.services?.find((one) => one.name === name)
    const id = built.get(name)
    const image =
      id === undefined ? await pullServiceImage(run, service, before) : await getBuiltImage(run, id)
    const reference = service.image ?? name
    assertCompatible(run, image, reference, service.platform)
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
  const { text, profiles } = composeSource(run)
  const replicas = services.reduce((sum, one) => sum + one.replicas, 0)
  return createRelease(run, {
    config: { ...requestedConfig(run), services, replicas },
    image: '',
    image_id: '',
    digest: null,
    compose: { text, profiles, model },
  })
}

async function pullServiceImage(
  run: DeploymentRun,
  service: Service,
  before: ReleaseService | undefined,
): Promise<ImageFacts> {
  const { docker } = getRunHost(run)
  const name = service.image ?? ''
  const policy = typeof service['pull_policy'] === 'string' ? service['pull_policy'] : ''
  const find = (reference: string) => findImage(docker, reference, run.signal)
  const isRight = (image: ImageFacts) => isCompatible(run, image, service.platform)
  if (before?.image === name && policy !== 'always') {
    const same = await find(before.image_id)
    if (same && isRight(same)) return same
  }
  const present = ['never', 'missing', 'if_not_present'].includes(policy) ? await find(name) : undefined
  if (present && (policy === 'never' || isRight(present))) return present
  if (policy === 'never')
    throw new DeploymentFailed(
      `The image ${name} is not on ${run.server().name}, and its pull_policy is never. Load it on the server, or change the pull_policy.`,
    )
  return ensureImage(run, name, service.platform)
}

async function getBuiltImage(run: DeploymentRun, id: string): Promise<ImageFacts> {
  const image = await findImage(getRunHost(run).docker, id, run.signal)
  if (!image)
    throw new DeploymentFailed(
      `The built image was removed from ${run.server().name} during the deployment. Deploy again.`,
    )
  return image
}

async function startServices(run: ReleaseRun): Promise<void> {
  const { model } = run
  const parts = servicesToStart(run)
  if (!model || parts.length === 0) return
  const projectNetwork = await ensureProjectNetwork(run)
  await run.stepEntered
  await ensureComposeNetworks(run, model)
  await ensureComposeVolumes(run, model)
  for (const wave of toWaves(parts, model)) {
    await stopConflictingServices(run, wave, model)
    await allSettledOrThrow(
      wave.map(async (part) => {
        await waitForDependencies(run, part)
        await startService(run, part, projectNetwork)
      }),
    )
  }
}

function toWaves(parts: ServiceSpec[], model: Model): ServiceSpec[][] {
  const waves = startWaves(
    model,
    parts.map(({ service }) => service),
  )
  return waves.map((wave) => parts.filter(({ service }) => wave.includes(service)))
}

export async function discardComposeBuilds(run: DeploymentRun): Promise<void> {
  if (run.deployment.type === 'deploy_application') await removeBuilds(run)
}

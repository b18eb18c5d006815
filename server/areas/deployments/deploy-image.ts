import type { Release } from '../applications/release.ts'
import { assertCompatible, ensureImage, ensureReleaseImage, registryDigest } from './images/ensure-image.ts'
import { type DeploymentRun, type ReleaseRun, step } from './run/deployment-run.ts'
import {
  createRelease,
  findSavedRelease,
  loadReleaseRun,
  prepareRelease,
  requestedConfig,
} from './run/release-run.ts'
import {
  checkDocker,
  checkFreeSpace,
  checkHostAccess,
  checkPorts,
  cleanUpEarlier,
  prepareServer,
} from './steps/check.ts'
import { startContainers } from './steps/start.ts'
import { switchTraffic } from './steps/switch-traffic.ts'
import { checkHealth } from './steps/wait-until-healthy.ts'

/** Deploys without downtime (blue-green): old containers serve until new ones are healthy and receive the traffic. */
export async function deployImage(run: DeploymentRun): Promise<ReleaseRun> {
  await step(run, 'check', checkServer)
  const release = (await step(run, 'fetch', fetchImage)) ?? (await loadReleaseRun(run))
  await step(release, 'start', startContainers)
  await step(release, 'wait', checkHealth)
  await step(release, 'switch', switchTraffic)
  return release
}

async function checkServer(run: DeploymentRun): Promise<void> {
  await prepareServer(run)
  await Promise.all([
    checkDocker(run),
    checkFreeSpace(run),
    checkPorts(run),
    checkHostAccess(run),
    cleanUpEarlier(run),
  ])
}

async function fetchImage(run: DeploymentRun): Promise<ReleaseRun> {
  const existing = await findSavedRelease(run)
  const release = existing ? await restoreImage(run, existing) : await pullImage(run)
  return prepareRelease(run, release)
}

async function restoreImage(run: DeploymentRun, release: Release): Promise<Release> {
  const image = await ensureReleaseImage(run, release, `release ${release.number}`)
  assertCompatible(run, image, run.deployment.tag ?? 'The image')
  run.log.write(`Using release ${release.number}: ${release.image} (${image.Id.slice(7, 19)})`)
  return release
}

async function pullImage(run: DeploymentRun): Promise<Release> {
  const config = requestedConfig(run)
  const image = await ensureImage(run, config.image)
  assertCompatible(run, image, run.deployment.tag ?? 'The image')
  const digest = registryDigest(image, config.image) ?? null
  const release = await createRelease(run, { config, image: config.image, image_id: image.Id, digest })
  run.log.write(`Release ${release.number} created: ${release.image} (${image.Id.slice(7, 19)})`)
  return release
}

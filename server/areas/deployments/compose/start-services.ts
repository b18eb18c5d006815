import { allSettledOrThrow } from '../../../platform/async.ts'
import type { Model } from '../../compose/model.ts'
import { startWaves } from '../../compose/start-order.ts'
import { stopConflictingServices } from '../cleanup/stop-to-make-room.ts'
import { type ServiceSpec, servicesToStart } from '../containers/specification.ts'
import { ensureProjectNetwork } from '../networks/own-networks.ts'
import type { ReleaseRun } from '../run/deployment-run.ts'
import { startService } from '../steps/start.ts'
import { waitForDependencies } from '../steps/wait-until-healthy.ts'
import { ensureComposeNetworks } from './compose-networks.ts'
import { ensureComposeVolumes } from './compose-volumes.ts'

export async function startServices(run: ReleaseRun): Promise<void> {
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

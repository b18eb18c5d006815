import { newId } from '../../../platform/ids.ts'
import type { Trx } from '../../../tables.ts'
import { type Instance, insertInstance } from '../../applications/instance.ts'
import type { Model } from '../../compose/model.ts'
import { exposesPort } from '../../compose/own-network.ts'
import { wavesOf } from '../../compose/order.ts'
import { allEnded } from '../run/all-ended.ts'
import { type Attempt, hostFor, ownInstances, releaseOf, writeAs } from '../run/attempt.ts'
import { bringUp } from '../containers/bring-up.ts'
import { chooseAddresses } from '../networks/choose-addresses.ts'
import { ensureComposeNetworks } from '../compose/compose-networks.ts'
import { ensureComposeVolumes } from '../compose/compose-volumes.ts'
import { decide } from './decide.ts'
import { hold } from '../cleanup/hold.ts'
import { findImage } from '../images/image-of.ts'
import { makeRoom } from '../cleanup/make-room.ts'
import { modelFor } from '../compose/model-for.ts'
import {
  ensureOwnNetwork,
  ensureProjectNetwork,
  joinsProjectNetwork,
  type OwnPlace,
} from '../networks/own-networks.ts'
import { ownPortOf } from '../containers/own-port.ts'
import { actionOn, isMade, type Part, partsOf } from '../containers/part.ts'
import { targetsOf } from '../networks/targets-of.ts'
import { untilNeedsAreMet } from '../compose/until-needs-are-met.ts'

/** What is made, and where. */
interface Making {
  part: Part
  model: Model | undefined
  /** Where the proxy reaches it; nothing for what is shut off. */
  place: OwnPlace | undefined
  /** Where other applications of its project reach it; null for a service that takes no requests. */
  projectNetwork: string | null
}

/**
 * One container for each replica, each with its row first, and what a service depends on before it. None of them is
 * routed yet. What cannot run beside its successor is stopped right before that starts.
 */
export async function start(attempt: Attempt): Promise<void> {
  if (!attempt.deployment.plan) await decide(attempt)
  const parts = partsOf(releaseOf(attempt)).filter(({ service }) => isMade(attempt.deployment, service))
  if (parts.length === 0) return
  const [projectNetwork, model] = await Promise.all([ensureProjectNetwork(attempt), modelFor(attempt)])
  if (model) {
    await attempt.entered
    await ensureComposeNetworks(attempt, model)
    await ensureComposeVolumes(attempt, model)
  }
  for (const wave of inWaves(parts, model)) {
    if (model) await makeRoom(attempt, wave, model)
    await allEnded(wave.map((part) => startPart(attempt, { part, model, projectNetwork })))
  }
}

function inWaves(parts: Part[], model: Model | undefined): Part[][] {
  if (!model) return [parts]
  const waves = wavesOf(
    model,
    parts.map(({ service }) => service),
  )
  return waves.map((wave) => parts.filter(({ service }) => wave.includes(service)))
}

async function startPart(attempt: Attempt, given: Omit<Making, 'place'>): Promise<void> {
  const { part, model } = given
  const making = {
    ...given,
    place: await ensureOwnNetwork(attempt, part.service, model),
    projectNetwork: (await joinsProjectNetwork(attempt, part.service, model)) ? given.projectNetwork : null,
  }
  await untilNeedsAreMet(attempt, part, model)
  const [port] = await Promise.all([findPort(attempt, making), attempt.entered])
  attempt.signal.throwIfAborted()
  if (actionOn(attempt.deployment, part.service) === 'recreated') await hold(attempt, part.service)
  const instances = await writeAs(attempt, (trx) => reserve(attempt, trx, making, port))
  attempt.signal.throwIfAborted()
  await allEnded(instances.map((one) => bringUp(attempt, one, making)))
}

/** Where it listens for HTTP, as far as that is known. */
async function findPort(attempt: Attempt, { part, model }: Making): Promise<number | null> {
  const [image, targets] = await Promise.all([
    findImage(hostFor(attempt).docker, part.image_id, attempt.signal),
    targetsOf(attempt, part.service),
  ])
  const port = ownPortOf(releaseOf(attempt), { service: part.service, model, image, targets })
  if (port === null && targets.some((one) => one.port === null))
    attempt.log.say(
      'Warning: no port is set and the image exposes none, so the generated URL does not work. Set the port in the settings if the application serves HTTP.',
    )
  return port
}

/** The rows of those that are not there yet; an earlier try may have made some. */
async function reserve(
  attempt: Attempt,
  trx: Trx,
  { part, model, place, projectNetwork }: Making,
  port: number | null,
): Promise<Instance[]> {
  const { workspace_id, server_id, id: application_id } = attempt.application
  const own = (await ownInstances(attempt, trx)).filter(({ service }) => service === part.service)
  const missing = Array.from({ length: part.replicas }, (_, index) => index + 1).filter(
    (replica) => !own.some((one) => one.replica === replica),
  )
  const addresses = place ? await chooseAddresses(attempt, trx, place, missing.length) : []
  for (const [index, replica] of missing.entries())
    own.push(
      await insertInstance(trx, {
        id: newId('instance'),
        workspace_id,
        application_id,
        server_id,
        deployment_id: attempt.deployment.id,
        release_id: releaseOf(attempt).id,
        service: part.service,
        replica,
        network: place?.network ?? null,
        address: addresses[index] ?? null,
        project_network: place ? projectNetwork : null,
        exposes_port: exposesPort(model?.services[part.service] ?? {}),
        port,
        state: 'starting',
      }),
    )
  return own
}

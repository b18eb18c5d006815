import { slipwayLabels } from '../../containers/slipway-labels.ts'
import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import type { Model, ModelVolume } from '../../compose/model.ts'
import { composeVolumeName } from '../../compose/docker-names.ts'
import { type DeploymentRun, DeploymentFailed, getRunHost } from '../run/deployment-run.ts'
import { hasSameEntries, withoutOwnLabels } from './compose-networks.ts'

interface ExistingVolume {
  Driver: string
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
}

interface RequiredVolume {
  key: string
  name: string
  volume: ModelVolume
  there: ExistingVolume | undefined
}

type Application = Pick<ApplicationRow, 'id' | 'slug'>

/** Creates the volumes of the compose file. Existing data is never dropped for a changed definition. */
export async function ensureComposeVolumes(run: DeploymentRun, model: Model): Promise<void> {
  const { docker } = getRunHost(run)
  for (const one of await listRequiredVolumes(docker, run.application, model, run.signal)) {
    if (one.there)
      for (const difference of differences(run.application, one)) run.log.write(`Warning: ${difference}`)
    else if (one.volume.external) throw new DeploymentFailed(missing(one))
    else {
      await run.stepEntered
      await createVolume(docker, run.application, one)
    }
  }
}

export async function checkVolumes(
  docker: Docker,
  application: Application,
  model: Model,
  signal: AbortSignal,
): Promise<Record<'refused' | 'warnings', string[]>> {
  const all = await listRequiredVolumes(docker, application, model, signal)
  return {
    refused: all.filter(({ volume, there }) => volume.external && !there).map(missing),
    warnings: all.flatMap((volume) => differences(application, volume)),
  }
}

function listRequiredVolumes(
  docker: Docker,
  application: Application,
  model: Model,
  signal: AbortSignal,
): Promise<RequiredVolume[]> {
  const mounted = Object.values(model.services).flatMap(({ volumes = [] }) => volumes)
  const keys = new Set(
    mounted.flatMap(({ type, source }) => (type === 'volume' && source !== undefined ? [source] : [])),
  )
  return Promise.all(
    [...keys].map(async (key) => {
      const name = composeVolumeName(application, model, key)
      return { key, name, volume: model.volumes[key] ?? {}, there: await findVolume(docker, name, signal) }
    }),
  )
}

async function findVolume(
  docker: Docker,
  name: string,
  signal: AbortSignal,
): Promise<ExistingVolume | undefined> {
  try {
    return await docker.json<ExistingVolume>({ path: `/volumes/${encodeURIComponent(name)}`, signal })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

const createVolume = (docker: Docker, { id }: Application, { name, volume }: RequiredVolume) =>
  docker.json({
    method: 'POST',
    path: '/volumes/create',
    body: {
      Name: name,
      Driver: volume.driver || 'local',
      DriverOpts: volume.driver_opts ?? {},
      Labels: { ...volume.labels, [slipwayLabels.application]: id },
    },
  })

const missing = ({ key, name }: RequiredVolume) =>
  `The external volume ${key} does not exist: the server has no volume ${name}. Create it, or remove \`external\` from the compose file.`

function differences({ id }: Application, { key, volume, there }: RequiredVolume): string[] {
  const isOthers = volume.external === true || there?.Labels?.[slipwayLabels.application] !== id
  if (!there || isOthers) return []
  const isAsDefined =
    there.Driver === (volume.driver || 'local') &&
    hasSameEntries(there.Options, volume.driver_opts ?? {}) &&
    hasSameEntries(withoutOwnLabels(there.Labels), volume.labels ?? {})
  return isAsDefined
    ? []
    : [
        `The definition of volume ${key} changed. The existing volume and its data are kept. Rename the volume in the compose file to create a new one.`,
      ]
}

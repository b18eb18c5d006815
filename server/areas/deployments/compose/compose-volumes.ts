import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { instanceLabels } from '../../applications/instance.ts'
import type { Model, ModelVolume } from '../../compose/model.ts'
import { appVolumeName } from '../../compose/names.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { isSame, withoutOwn } from '../networks/network-definition.ts'

/** The parts of Docker's answer that are used. */
interface VolumeThere {
  Driver: string
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
}

interface Wanted {
  key: string
  name: string
  volume: ModelVolume
  there: VolumeThere | undefined
}

type Application = Pick<ApplicationRow, 'id' | 'slug'>

/** The volumes of its services are there. What is in one is never given up for what a file says of it. */
export async function ensureComposeVolumes(attempt: Attempt, model: Model): Promise<void> {
  const { docker } = hostFor(attempt)
  for (const one of await wantedBy(docker, attempt.application, model, attempt.signal)) {
    if (one.there)
      for (const said of differences(attempt.application, one)) attempt.log.say(`Warning: ${said}`)
    else if (one.volume.external) throw new Failed(missing(one))
    else {
      await attempt.entered
      await make(docker, attempt.application, one)
    }
  }
}

/** What is missing, and what differs from the file and stays so, as sentences. */
export async function lookAtVolumes(
  docker: Docker,
  application: Application,
  model: Model,
  signal: AbortSignal,
): Promise<Record<'refused' | 'warnings', string[]>> {
  const all = await wantedBy(docker, application, model, signal)
  return {
    refused: all.filter(({ volume, there }) => volume.external && !there).map(missing),
    warnings: all.flatMap((one) => differences(application, one)),
  }
}

/** Those that a service mounts. */
function wantedBy(
  docker: Docker,
  application: Application,
  model: Model,
  signal: AbortSignal,
): Promise<Wanted[]> {
  const mounted = Object.values(model.services).flatMap(({ volumes = [] }) => volumes)
  const keys = new Set(
    mounted.flatMap(({ type, source }) => (type === 'volume' && source !== undefined ? [source] : [])),
  )
  return Promise.all(
    [...keys].map(async (key) => {
      const name = appVolumeName(application, model, key)
      return { key, name, volume: model.volumes[key] ?? {}, there: await find(docker, name, signal) }
    }),
  )
}

async function find(docker: Docker, name: string, signal: AbortSignal): Promise<VolumeThere | undefined> {
  try {
    return await docker.json<VolumeThere>({ path: `/volumes/${encodeURIComponent(name)}`, signal })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

const make = (docker: Docker, { id }: Application, { name, volume }: Wanted) =>
  docker.json({
    method: 'POST',
    path: '/volumes/create',
    body: {
      Name: name,
      Driver: volume.driver || 'local',
      DriverOpts: volume.driver_opts ?? {},
      Labels: { ...volume.labels, [instanceLabels.application]: id },
    },
  })

const missing = ({ key, name }: Wanted) =>
  `The external volume ${key} does not exist: the server has no volume ${name}. Create it, or remove \`external\` from the compose file.`

/** One that others made is taken as it is. */
function differences({ id }: Application, { key, volume, there }: Wanted): string[] {
  const isOthers = volume.external === true || there?.Labels?.[instanceLabels.application] !== id
  if (!there || isOthers) return []
  const isAsDefined =
    there.Driver === (volume.driver || 'local') &&
    isSame(there.Options, volume.driver_opts ?? {}) &&
    isSame(withoutOwn(there.Labels), volume.labels ?? {})
  return isAsDefined
    ? []
    : [
        `The definition of volume ${key} changed. The existing volume and its data are kept. Rename the volume in the compose file to create a new one.`,
      ]
}

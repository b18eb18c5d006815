import type { Id } from '../../../contract/shared/ids.ts'
import { unique } from '../factories/factories.ts'
import { busyboxImage } from '../rig/images.ts'
import type { RigServer } from '../rig/server.ts'

/** Runs until it is told to end, and then ends at once. */
const patient = 'trap "exit 0" TERM INT; while :; do sleep 1 & wait $!; done'

const loaded = new WeakMap<RigServer['exec'], Promise<void>>()

/** The server has `rig/busybox` afterwards, however often it is asked for. */
export function loadBusybox(server: RigServer): Promise<void> {
  const known = loaded.get(server.exec) ?? busyboxImage().then((image) => server.loadImage(image))
  loaded.set(server.exec, known)
  return known
}

interface Given {
  /** What docker run takes before the image. */
  options?: string[]
  /** Read by sh in it. */
  script?: string
  /** That it belongs to. */
  application?: Id<'application'>
}

/** A container of `rig/busybox` that was started there by somebody else, unless it is an application's; resolves with its id. */
export async function runContainer(
  server: RigServer,
  { options = [], script = patient, application }: Given = {},
): Promise<string> {
  await loadBusybox(server)
  // Docker would make up one with an underscore, which some search for and must not find.
  const name = ['--name', unique('box')]
  const id = await server.exec(
    'docker',
    'run',
    '--detach',
    ...name,
    ...options,
    ...(application ? ['--label', `slipway.application=${application}`] : []),
    'rig/busybox',
    'sh',
    '-c',
    script,
  )
  return id.trim()
}

const shared = new WeakMap<RigServer['exec'], Promise<string>>()

/** One that runs for all tests of a file, and that none of them changes. */
export function sharedContainer(server: RigServer): Promise<string> {
  const known = shared.get(server.exec) ?? runContainer(server, { script: `echo hello; ${patient}` })
  shared.set(server.exec, known)
  return known
}

const own = new Map<string, Promise<string>>()

/** The same of an application. */
export function ownContainer(server: RigServer, application: Id<'application'>): Promise<string> {
  const known =
    own.get(application) ?? runContainer(server, { script: `echo hello; ${patient}`, application })
  own.set(application, known)
  return known
}

/** All that are there, whatever they do: whoever comes next begins with none. */
export async function removeContainers(server: RigServer): Promise<void> {
  const ids = await server.exec('docker', 'ps', '--all', '--quiet')
  if (ids !== '') await server.exec('docker', 'rm', '--force', ...ids.trim().split('\n'))
}

import type { Id } from '../../../contract/shared/ids.ts'
import { unique } from '../factories/factories.ts'
import { busyboxImage } from '../rig/images.ts'
import type { RigServer } from '../rig/server.ts'

/** Runs until stopped, and then exits immediately. */
const patient = 'trap "exit 0" TERM INT; while :; do sleep 1 & wait $!; done'

const loaded = new WeakMap<RigServer['exec'], Promise<void>>()

/** Loads `rig/busybox` once. */
export function loadBusybox(server: RigServer): Promise<void> {
  const known = loaded.get(server.exec) ?? busyboxImage().then((image) => server.loadImage(image))
  loaded.set(server.exec, known)
  return known
}

interface ContainerOptions {
  /** Options of docker run. */
  options?: string[]
  /** Script for sh. */
  script?: string
  /** Owning application. */
  application?: Id<'application'>
}

/** Runs a container of `rig/busybox`, outside of applications by default; returns its ID. */
export async function runContainer(
  server: RigServer,
  { options = [], script = patient, application }: ContainerOptions = {},
): Promise<string> {
  await loadBusybox(server)
  // Docker's generated names contain an underscore, which some tests search for.
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

/** Shared by the tests of a file, and never changed. */
export function sharedContainer(server: RigServer): Promise<string> {
  const known = shared.get(server.exec) ?? runContainer(server, { script: `echo hello; ${patient}` })
  shared.set(server.exec, known)
  return known
}

const own = new Map<string, Promise<string>>()

export function ownContainer(server: RigServer, application: Id<'application'>): Promise<string> {
  const known =
    own.get(application) ?? runContainer(server, { script: `echo hello; ${patient}`, application })
  own.set(application, known)
  return known
}

/** Removes all containers for the next test. */
export async function removeContainers(server: RigServer): Promise<void> {
  const ids = await server.exec('docker', 'ps', '--all', '--quiet')
  if (ids !== '') await server.exec('docker', 'rm', '--force', ...ids.trim().split('\n'))
}

import { onWorkerThread } from '../../platform/worker-thread.ts'
import { composeFileOf, inherited } from './read/compose-file.ts'
import { listOf, mapOf } from './read/loose.ts'
import type { Model } from './model.ts'
import { appVolumeName } from './names.ts'
import { readRaw } from './read/read-raw.ts'
import { readMount } from './read/short-forms.ts'

/** What services of a compose file have in their containers that stays when those go. */
export interface Mounted {
  type: 'volume' | 'bind'
  /** The name in the file, or a folder of the server. */
  source: string
  target: string
  /** What Docker calls a volume. */
  name: string | null
  services: string[]
}

interface Application {
  id: string
  slug: string
}

interface Use extends Pick<Mounted, 'source' | 'target'> {
  service: string
  type: string
}

/** Of a file as it was read on the server. */
export function mountedIn(application: Application, model: Model): Mounted[] {
  const uses = Object.entries(model.services).flatMap(([service, { volumes = [] }]) =>
    volumes.map(({ type, source = '', target }): Use => ({ service, type, source, target })),
  )
  return together(uses, (key) => appVolumeName(application, model, key))
}

/** `mountedInText` on a worker thread: a file of the largest size takes a tenth of a second. */
export const mountedOffLoop = onWorkerThread(
  new URL('./mounted.js', import.meta.url),
  'mountedInText',
  mountedInText,
)

/** Of one as it is written, as far as it tells. */
export function mountedInText(
  application: Application,
  text: string,
  profiles: readonly string[],
): Mounted[] {
  const file = composeFileOf(readRaw(text), profiles)
  const uses = Object.keys(file.services)
    .filter(file.isActive)
    .flatMap((service) =>
      listOf(inherited(file, service, 'volumes')).map((one): Use => ({ service, ...readMount(one) })),
    )
  const volumes = Object.fromEntries(
    Object.entries(mapOf(file.top['volumes'])).map(([key, given]) => [key, namesIn(mapOf(given))]),
  )
  const model = { services: {}, networks: {}, volumes, secrets: {}, configs: {} }
  return together(uses, (key) => appVolumeName(application, model, key))
}

const namesIn = ({ name, external }: Record<string, unknown>) => ({
  ...(typeof name === 'string' && { name }),
  ...(external === true && { external }),
})

/** What several services have at the same place is told once. */
function together(uses: Use[], nameOf: (key: string) => string): Mounted[] {
  const all = new Map<string, Mounted>()
  for (const { service, type, source, target } of uses) {
    if ((type !== 'volume' && type !== 'bind') || source === '') continue
    const key = JSON.stringify([type, source, target])
    const known = all.get(key)
    if (known) known.services.push(service)
    else
      all.set(key, {
        type,
        source,
        target,
        name: type === 'volume' ? nameOf(source) : null,
        services: [service],
      })
  }
  return [...all.values()].toSorted(
    (one, other) => one.source.localeCompare(other.source) || one.target.localeCompare(other.target),
  )
}

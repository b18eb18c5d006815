import { onWorkerThread } from '../../platform/worker-thread.ts'
import { toComposeFile, inheritedValue } from './read/compose-file.ts'
import { toList, toMap } from './read/untyped.ts'
import type { Model } from './model.ts'
import { composeVolumeName } from './docker-names.ts'
import { readUninterpolated } from './read/to-value.ts'
import { readMount } from './read/short-forms.ts'

export interface PersistentMount {
  type: 'volume' | 'bind'
  source: string
  target: string
  name: string | null
  services: string[]
}

interface Application {
  id: string
  slug: string
}

interface Use extends Pick<PersistentMount, 'source' | 'target'> {
  service: string
  type: string
}

export function listPersistentMounts(application: Application, model: Model): PersistentMount[] {
  const uses = Object.entries(model.services).flatMap(([service, { volumes = [] }]) =>
    volumes.map(({ type, source = '', target }): Use => ({ service, type, source, target })),
  )
  return together(uses, (key) => composeVolumeName(application, model, key))
}

/** Runs on a worker thread, because the largest file takes 100 ms. */
export const persistentMountsInWorker = onWorkerThread(
  new URL('./persistent-mounts.js', import.meta.url),
  'persistentMountsInText',
  persistentMountsInText,
)

export function persistentMountsInText(
  application: Application,
  text: string,
  profiles: readonly string[],
): PersistentMount[] {
  const file = toComposeFile(readUninterpolated(text), profiles)
  const uses = Object.keys(file.services)
    .filter(file.isActive)
    .flatMap((service) =>
      toList(inheritedValue(file, service, 'volumes')).map((mount): Use => ({
        service,
        ...readMount(mount),
      })),
    )
  const volumes = Object.fromEntries(
    Object.entries(toMap(file.top['volumes'])).map(([key, definition]) => [key, namesIn(toMap(definition))]),
  )
  const model = { services: {}, networks: {}, volumes, secrets: {}, configs: {} }
  return together(uses, (key) => composeVolumeName(application, model, key))
}

const namesIn = ({ name, external }: Record<string, unknown>) => ({
  ...(typeof name === 'string' && { name }),
  ...(external === true && { external }),
})

function together(uses: Use[], nameOf: (key: string) => string): PersistentMount[] {
  const all = new Map<string, PersistentMount>()
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
    (a, b) => a.source.localeCompare(b.source) || a.target.localeCompare(b.target),
  )
}

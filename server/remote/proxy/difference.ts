import { type Backend, type Place, placeName } from './backends.ts'
import { inFolder } from './config.ts'
import type { MapName, Plan } from './plan.ts'
import type { Running, RunningPlace } from './running.ts'

/**
 * What has to be told to a proxy of the same shape. What takes traffic comes before what no longer does, so that there
 * is no moment without anybody; the one must be done before the other is begun.
 */
export function differenceOf(plan: Pick<Plan, 'backends' | 'maps'>, running: Running): string[][] {
  const backends = new Map(plan.backends.map((backend) => [backend.name, backend]))
  const begun: string[] = []
  const ended: string[] = []
  for (const now of running.places) {
    const wanted = wantedAt(backends.get(now.backend), now)
    if (wanted?.serving) begun.push(...beginning(now, wanted))
    else ended.push(...ending(now, wanted))
  }
  return [begun, mapChanges(plan.maps, running.maps), ended].filter((commands) => commands.length > 0)
}

/** Of an unknown backend, too: one of an application that is no more. */
const wantedAt = (backend: Backend | undefined, { name }: RunningPlace): Place | undefined =>
  backend && [...backend.places].find(([slot]) => placeName(slot) === name)?.[1]

const isAt = (now: RunningPlace, { address, port }: Place) => now.address === address && now.port === port

function beginning(now: RunningPlace, wanted: Place): string[] {
  const where = `${now.backend}/${now.name}`
  if (isAt(now, wanted)) return now.state === 'ready' ? [] : [`set server ${where} state ready`]
  return [
    // Nothing may come to the new address by way of what was there before.
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    `set server ${where} addr ${wanted.address} port ${wanted.port}`,
    `set server ${where} state ready`,
  ]
}

/** A place that nobody has keeps no address: one day that is another container's. */
function ending(now: RunningPlace, wanted: Place | undefined): string[] {
  const where = `${now.backend}/${now.name}`
  if (wanted && isAt(now, wanted)) return now.state === 'ready' ? [`set server ${where} state drain`] : []
  return [
    ...(now.state === 'maint' ? [] : [`set server ${where} state maint`]),
    ...(now.address === '0.0.0.0' ? [] : [`set server ${where} addr 0.0.0.0 port 0`]),
  ]
}

function mapChanges(wanted: Plan['maps'], now: Running['maps']): string[] {
  return [...wanted].flatMap(([name, entries]) => changesOf(name, entries, now.get(name) ?? new Map()))
}

function changesOf(name: MapName, wanted: Map<string, string>, now: Map<string, string>): string[] {
  const file = inFolder(name)
  return [
    ...[...wanted].flatMap(([key, value]) => {
      const known = now.get(key)
      if (known === value) return []
      return [`${known === undefined ? 'add' : 'set'} map ${file} ${key} ${value}`]
    }),
    ...[...now.keys()].filter((key) => !wanted.has(key)).map((key) => `del map ${file} ${key}`),
  ]
}

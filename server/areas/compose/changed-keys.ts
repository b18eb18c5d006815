import { canonical } from './hash.ts'
import type { Service } from './model.ts'
import { fateOf } from './service-keys.ts'

/** What does not make containers, or is told apart from the rest. */
const untold = new Set(
  'build depends_on deploy env_file extends image label_file ports profiles pull_policy scale'.split(' '),
)

/** Whose names may be told, and never their values. */
const byName = ['environment', 'labels', 'sysctls', 'storage_opt'] as const

/** What makes the containers of a service others than they were, as sentences without any value but that of the image. */
export function changesOf(before: Service, after: Service): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  const changed = keys.filter(
    (key) => !untold.has(key) && fateOf(key) === 'carried' && isOther(before[key], after[key]),
  )
  return [
    ...imageOf(before, after),
    ...changed.map((key) => sentenceOf(key, before, after)),
    ...(isOther(before.deploy?.resources, after.deploy?.resources) ? ['Its deploy.resources changed.'] : []),
    ...(isOther(before.deploy?.restart_policy, after.deploy?.restart_policy)
      ? ['Its deploy.restart_policy changed.']
      : []),
    ...(isOther(byDocker(before), byDocker(after)) ? ['Its ports that Docker publishes changed.'] : []),
  ]
}

const isOther = (one: unknown, other: unknown) => canonical(one) !== canonical(other)

function imageOf({ image }: Service, after: Service): string[] {
  if (after.image === image) return []
  if (after.image === undefined) return ['Its image is built instead of pulled.']
  return [`Its image is ${after.image} instead of ${image ?? 'one that is built'}.`]
}

function sentenceOf(key: string, before: Service, after: Service): string {
  const named = byName.find((one) => one === key)
  if (!named) return `Its ${key} changed.`
  const [old = {}, now = {}] = [before[named], after[named]]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].toSorted()
  return `Its ${key} changed: ${names.filter((name) => isOther(old[name], now[name])).join(', ')}.`
}

const byDocker = ({ ports = [] }: Service) => ports.filter(({ protocol = 'tcp' }) => protocol !== 'tcp')

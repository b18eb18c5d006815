import { isDeepStrictEqual } from 'node:util'
import type { Pair } from '../../../contract/entries.ts'
import type { ReleaseConfig } from '../../tables.ts'
import { isBind } from './instance.ts'

/** A configuration of a single image with its environment. */
export interface Program {
  config: ReleaseConfig
  env: readonly Pair[]
}

/** Folders of the server that its containers mount. */
export const bindsIn = ({ volumes }: Pick<ReleaseConfig, 'volumes'>) =>
  volumes.filter(({ source }) => isBind(source))

/**
 * Whether deploying `next` gives its containers host access that nobody with the right to act as root has approved. Host
 * access is approved for a program: what it runs, with which environment and mounts. What was live once was approved then.
 */
export function addsHostAccess(next: Program, live: Program | undefined, wasLive: boolean): boolean {
  const wanted = bindsIn(next.config)
  if (wanted.length === 0) return false
  if (!live) return true
  if (!wasLive) return !isDeepStrictEqual(programOf(next), programOf(live))
  const had = bindsIn(live.config).map(({ source }) => source)
  return wanted.some(({ source }) => !had.includes(source))
}

/** All that decides what runs in the container, and with what. Limits, replicas and labels do not. */
const programOf = ({ config: { image, command, volumes, build }, env }: Program) => ({
  image: build ? '' : image,
  command,
  volumes: volumes.map(({ source, target }) => `${source}:${target}`).toSorted(),
  env: Object.fromEntries(env.map(({ key, value }) => [key, value])),
  build: build && {
    ...build,
    // A repository that was renamed is the same, and so is one whose account was connected anew.
    repository: '',
    integration_id: null,
    build_memory: null,
    build_cpus: null,
    build_minutes: 0,
  },
})

export const whyHostAccess = (isBack: boolean) =>
  isBack
    ? 'This release mounts folders of the server that the live one does not, which needs an admin. Ask one to roll back to it.'
    : 'This application mounts folders of the server, and what it runs has changed since it was last deployed, which needs an admin. Ask one to deploy it.'

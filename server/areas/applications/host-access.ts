import { isDeepStrictEqual } from 'node:util'
import type { Pair } from '../../../contract/shared/entries.ts'
import type { Context } from '../../context.ts'
import type { BuildConfig, Db, ReleaseConfig } from '../../tables.ts'
import type { ApplicationRow } from './application.ts'
import { findRelease, openReleaseConfiguration } from './release.ts'
import { formatList } from '../../../contract/shared/format-list.ts'
import { isBind } from './instance.ts'
import { forbidden } from '../../errors.ts'

export interface Program {
  config: ReleaseConfig
  env: readonly Pair[]
}

export const bindsIn = ({ volumes }: Pick<ReleaseConfig, 'volumes'>) =>
  volumes.filter(({ source }) => isBind(source))

/**
 * Whether deploying `next` gives containers host access that no actor with root access has approved. Approval covers
 * the program: image, command, environment and mounts. Configurations that were live are approved.
 */
export function addsHostAccess(next: Program, live: Program | undefined, wasLive: boolean): boolean {
  const requested = bindsIn(next.config)
  if (requested.length === 0) return false
  if (!live) return true
  if (!wasLive) return !isDeepStrictEqual(toProgram(next), toProgram(live))
  const had = bindsIn(live.config).map(({ source }) => source)
  return requested.some(({ source }) => !had.includes(source))
}

const toProgram = ({ config: { image, command, volumes, build }, env }: Program) => ({
  image: build ? '' : image,
  command,
  volumes: volumes.map(({ source, target }) => `${source}:${target}`).toSorted(),
  env: Object.fromEntries(env.map(({ key, value }) => [key, value])),
  build: build && {
    ...build,
    // These fields are blank, because a renamed repository, a reconnected account or other limits do not change the program.
    repository: '',
    integration_id: null,
    build_memory: null,
    build_cpus: null,
    build_minutes: 0,
  },
})

export function describeHostAccess(next: Program, live: Program | undefined, wasLive: boolean): string[] {
  if (!addsHostAccess(next, live, wasLive)) return []
  const had = wasLive && live ? bindsIn(live.config).map(({ source }) => source) : []
  const mounts = bindsIn(next.config).filter(({ source }) => !had.includes(source))
  return [
    ...mounts.map(({ source, target }) => `The container mounts server folder ${source} at ${target}.`),
    ...(wasLive ? [] : [`Not approved yet: ${formatList(listUnapproved(next, live))}.`]),
  ]
}

function listUnapproved(next: Program, live: Program | undefined): string[] {
  const [after, before] = [toProgram(next), live && toProgram(live)]
  const mounts = namesBetween(toFlags(before?.volumes), toFlags(after.volumes))
  return [
    ...(after.image === before?.image || after.build ? [] : [`the image ${after.image}`]),
    ...(isDeepStrictEqual(after.command, before?.command ?? null) ? [] : ['the command']),
    ...mounts.map((mount) => `the mount ${mount}`),
    ...namesBetween(before?.env, after.env).map((name) => `the environment variable ${name}`),
    ...namesBetween(before?.build, after.build).map(
      (name) => `the build setting ${name.split('_').join(' ')}`,
    ),
  ]
}

const toFlags = (list: readonly string[] = []) => Object.fromEntries(list.map((entry) => [entry, true]))

function namesBetween(before: object = {}, after: object = {}): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  const names = [...new Set([...old.keys(), ...now.keys()])].toSorted()
  return names
    .filter((name) => !isDeepStrictEqual(old.get(name), now.get(name)))
    .map((name) => (now.has(name) ? name : `${name} (removed)`))
}

export const approvalInstructions =
  'A workspace admin must review the plan and deploy it, in the console or through the API with the `revision` of the plan.'

export const hostAccessRefusal = (isBack: boolean) =>
  isBack
    ? 'This release mounts server folders that the live release does not mount. Ask a workspace admin to roll back to it.'
    : `This application mounts server folders, and what it runs has changed since the last deployment. ${approvalInstructions}`

export async function findHostAccessRefusal(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  application: ApplicationRow,
  next: Program,
  wasLive: boolean,
): Promise<string | undefined> {
  if (bindsIn(next.config).length === 0) return undefined
  const live = await findLiveProgram(ctx, db, application)
  return addsHostAccess(next, live, wasLive) ? hostAccessRefusal(wasLive) : undefined
}

/** Reads what the live release runs: its host access is approved. */
export async function findLiveProgram(
  ctx: Pick<Context, 'secrets'>,
  db: Db,
  { workspace_id, release_id }: ApplicationRow,
): Promise<Program | undefined> {
  const release = release_id ? await findRelease(db, workspace_id, release_id) : undefined
  return release && openReleaseConfiguration(ctx, release)
}

const read = ['builder', 'repository_id', 'branch', 'folder', 'submodules', 'lfs'] as const

type Built = Pick<BuildConfig, (typeof read)[number]>

/** Railpack runs programs of the repository directly on the server, outside containers. */
export const grantsServerAccess = (build: Built, before: Built | undefined): boolean =>
  build.builder === 'railpack' && read.some((field) => before?.[field] !== build[field])

export const railpackAccess =
  'Building with Railpack gives everyone who can push to the repository root access to the server.'

export const railpackRefusal = `${railpackAccess} ${approvalInstructions} To deploy without an admin, choose another builder in the settings.`

export function checkBuilder(asRoot: boolean, build: Built, before?: Built): void {
  if (grantsServerAccess(build, before) && !asRoot)
    throw forbidden(
      'Only admins can choose Railpack, and on This machine only instance owners, because everyone who can push to the repository gains root access to the server. Choose another builder, or ask one of them to change it.',
    )
}

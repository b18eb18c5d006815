import type { Pair } from '../../../contract/entries.ts'
import type { Id } from '../../../contract/ids.ts'
import { command } from '../../remote/command.ts'
import { type Finish, removeDetached, runDetached } from '../../remote/detached.ts'
import { Lines } from '../../remote/detached/lines.ts'
import { asTag, releaseRepository } from '../applications/release.ts'
import type { Model } from '../compose/model.ts'
import { folderOf, projectOf } from '../compose/names.ts'
import { readLines } from '../outputs/output.ts'
import { type Attempt, Failed, hostFor } from './attempt.ts'
import { buildFile } from './build-file.ts'
import { buildScript } from './build-script.ts'
import { contentsOf, withoutValues } from './environment.ts'
import { findImage } from './image-of.ts'
import { sourceOf } from './model-for.ts'
import { removeNames } from './release-images.ts'
import { whyNotBuilt } from './why-not-built.ts'

const limitMinutes = 60
const mostOutput = 16 * 1024 * 1024
/** Bytes that a program can be given in one variable, and some to spare. */
const mostOfFile = 100_000
/** A server that lost its power in the middle gets one more chance. */
const mostRuns = 2

/** By which the log knows what was built already, should it be followed again. */
const prefix = 'build: '
const again = 'The server was restarted in the middle of building. Beginning again.'
const countOfWords = 10

/**
 * Builds the images of these services on the server, one after the other: it goes on without the connection, and whoever
 * takes the deployment over follows it. Resolves with the image of each.
 */
export async function buildImages(
  attempt: Attempt,
  model: Model,
  services: string[],
): Promise<Map<string, string>> {
  if (services.length === 0) return new Map()
  await attempt.entered
  const names = services.toSorted()
  // Of an earlier try.
  const before = await findBuilt(attempt, names)
  const missing = names.filter((name) => !before.has(name))
  if (missing.length > 0) await build(attempt, model, missing)
  const built = await findBuilt(attempt, names)
  const lost = names.find((name) => !built.has(name))
  if (lost !== undefined)
    throw new Failed(
      `What was built of ${lost} was removed from ${attempt.server.name} meanwhile. Deploy again.`,
    )
  return built
}

/** What a deployment has begun to build is ended and forgotten, with the names of what was built. Safe to do again. */
export async function endBuilds(attempt: Attempt): Promise<void> {
  await removeDetached(hostFor(attempt), workOf(attempt.deployment.id))
  const { docker } = hostFor(attempt)
  await removeNames(docker, attempt.application.id, (tag) => tag.startsWith(tagOf(attempt, '')))
}

const workOf = (deployment: Id<'deployment'>) => `${deployment}-build`

/** Until the release has a number; once it has one, images have its names. */
const tagOf = ({ application, deployment }: Attempt, service: string) =>
  `${releaseRepository(application.id)}:${deployment.id}-${asTag(service)}`

async function findBuilt(attempt: Attempt, names: readonly string[]): Promise<Map<string, string>> {
  const { docker } = hostFor(attempt)
  const found = new Map<string, string>()
  for (const name of names) {
    const image = await findImage(docker, tagOf(attempt, name), attempt.signal)
    if (image) found.set(name, image.Id)
  }
  return found
}

async function build(attempt: Attempt, model: Model, names: string[]): Promise<void> {
  const { application, server, deployment } = attempt
  const host = hostFor(attempt)
  const { text, env } = buildFile(model, names, (name) => tagOf(attempt, name))
  if (Buffer.byteLength(text) > mostOfFile)
    throw new Failed(
      `What is to be built is described with more than ${mostOfFile / 1_000} kB. Put the Dockerfiles into a repository.`,
    )
  // Where nothing but the file itself is needed, nobody has made it.
  await host.run({ ...command('mkdir', '-p', '--', folderOf(application)), asRoot: true })
  const what = {
    ...command('sh', '-c', buildScript, 'sh', folderOf(application), projectOf(application), ...names),
    env: { ...env, SLIPWAY_BUILD: text },
  }
  const work = {
    id: workOf(deployment.id),
    command: what,
    limitSeconds: limitMinutes * 60,
    most: mostOutput,
  }
  for (let run = 1; ; run++) {
    const { finish, lines } = await follow(attempt, work, contentsOf(model))
    if (finish.why === 'ended' && finish.code === 0) return removeDetached(host, work.id)
    if (finish.why === 'vanished' && run < mostRuns) {
      attempt.log.say(again)
      await removeDetached(host, work.id)
      continue
    }
    throw new Failed(
      whyNotBuilt(finish, { server: server.name, lines, limitMinutes }),
      lines.slice(-countOfWords),
    )
  }
}

/** To its end. What was told before, by whoever followed it then, is not told again. */
async function follow(
  attempt: Attempt,
  work: Parameters<typeof runDetached>[1],
  contents: Pair[],
): Promise<{ finish: Finish; lines: string[] }> {
  const { ctx, deployment, log, signal } = attempt
  const secrets = [...sourceOf(attempt).env, ...contents]
  await log.flush()
  const all = await readLines(ctx.db, deployment.workspace_id, deployment.id)
  const told = all.slice(all.lastIndexOf(again) + 1).filter((line) => line.startsWith(prefix))
  const offsets = { stdout: 0, stderr: 0 }
  const cut = new Lines(offsets)
  const lines: string[] = []
  const leave = new AbortController()
  const pieces = runDetached(hostFor(attempt), work, offsets, AbortSignal.any([signal, leave.signal]))
  try {
    for (;;) {
      const next = await pieces.next()
      const said = next.done ? cut.end() : cut.add(next.value)
      for (const line of said.split('\n').filter((one) => one.trim() !== '')) {
        lines.push(withoutValues(line, secrets))
        if (lines.length > told.length) log.hear('stdout', `${prefix}${lines.at(-1)}\n`)
      }
      await log.room()
      if (next.done) return { finish: next.value, lines }
    }
  } finally {
    leave.abort()
  }
}

import type { Id } from '../../../../contract/shared/ids.ts'
import { command } from '../../../remote/command.ts'
import { buildLimits } from '../../applications/review/build-limits.ts'
import { toImageTag, releaseRepository } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import { applicationFolderOf, projectOf } from '../../containers/application-folder.ts'
import { type Attempt, Failed, hostFor } from '../run/attempt.ts'
import { trimBuildCache } from './build-cache.ts'
import { buildFile } from './build-file.ts'
import { contentsOf } from '../run/environment.ts'
import { endRuns, runTwice, wordsTold } from '../run/follow-work.ts'
import { findImage } from '../images/image-of.ts'
import { findImagesFolder } from './images-folder.ts'
import { sourceOf } from '../compose/model-for.ts'
import { removeNames } from '../images/release-images.ts'
import { sourcesFolder, turnSeconds, guarded, inTurn } from './source-guard.ts'
import { clearLeft, leastLeft } from './source-work.ts'
import { whyNotBuilt } from './why-not-built.ts'
import { limited } from './limit-script.ts'

const limitMinutes = 60
const mostOutput = 16 * 1024 * 1024
/** Bytes that a program can be given in one variable, and some to spare. */
const mostOfFile = 100_000

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
      `The image built for ${lost} was removed from ${attempt.server.name} during the deployment. Deploy again.`,
    )
  return built
}

/** What a deployment has begun to build is ended and forgotten, with the names of what was built. Safe to do again. */
export async function endBuilds(attempt: Attempt): Promise<void> {
  await endRuns(hostFor(attempt), workOf(attempt.deployment.id))
  await clearLeft(hostFor(attempt), sourcesFolder, attempt.deployment.id)
  const { docker } = hostFor(attempt)
  await removeNames(docker, attempt.application.id, (tag) => tag.startsWith(tagOf(attempt, '')))
}

const workOf = (deployment: Id<'deployment'>) => `${deployment}-build`

/** Until the release has a number; once it has one, images have its names. */
const tagOf = ({ application, deployment }: Attempt, service: string) =>
  `${releaseRepository(application.id)}:${deployment.id}-${toImageTag(service)}`

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
      `The build definitions exceed ${mostOfFile / 1_000} kB. Move the Dockerfiles to a repository.`,
    )
  const limits = buildLimits(server, { build_memory: null, build_cpus: null, build_minutes: limitMinutes })
  const where = [applicationFolderOf(application), projectOf(application), deployment.id]
  const times = [turnSeconds, limitMinutes * 60, leastLeft].map(String)
  const most = [limits.memory, Math.round(limits.cpus * 100_000), limits.processes].map(String)
  const given = [...where, ...times, await findImagesFolder(attempt), ...most, ...names]
  const what = {
    ...command('sh', '-c', buildScript, 'sh', ...given),
    env: { ...env, SLIPWAY_BUILD: text },
    asRoot: true,
  }
  const work = {
    id: workOf(deployment.id),
    command: what,
    // The script ends by itself before, and says which it was.
    limitSeconds: limitMinutes * 60 + turnSeconds + 300,
    most: mostOutput,
  }
  const { finish, lines } = await runTwice(attempt, work, {
    prefixes: ['build: '],
    secrets: [...sourceOf(attempt).env, ...contentsOf(model)],
  })
  await trimBuildCache(host.docker, server)
  if (finish.why === 'ended' && finish.code === 0) return endRuns(host, work.id)
  const why = whyNotBuilt(finish, { server: server.name, lines, limits })
  throw new Failed(why, lines.slice(-wordsTold))
}

/**
 * Arguments: the application's folder, the name of the project, the deployment, seconds for which it waits for other builds,
 * seconds that it may take, KiB that have to stay free, the folder of Docker's images, and bytes, microseconds and processes
 * that it may take; then the services. The file is in a variable, as it holds secrets; nobody else's `.env` is read. Compose
 * lets nobody say in which control group something is built, so Docker's own one of all builds is limited meanwhile.
 */
const buildScript = `${guarded}${inTurn}${limited}
folder=$1 project=$2 group=slipway-builds/$3 place=${sourcesFolder}/$3 turn=$4 seconds=$5 least=$6 images=$7 memory=$8 cpu=$9
shift 9
processes=$1
shift
file=$SLIPWAY_BUILD
unset SLIPWAY_BUILD
export DOCKER_BUILDKIT=1 BUILDKIT_PROGRESS=plain BUILDX_BUILDER=default NO_COLOR=1
over() {
  unbound
  into ''
  discard "$group"
  leave "$place" "$1"
}
mkdir -p "$folder" "\${place%/*}" || exit
take_turn "$turn"
guard "$seconds" "$place" "$least" "$images"
bound older "$group" "$memory" "$cpu" "$processes"
code=0
for service; do
  printf 'Building %s\\n' "$service"
  printf '%s' "$file" | docker compose --env-file /dev/null --project-name "$project" --project-directory "$folder" \\
    --file - build -- "$service"
  code=$?
  [ "$code" = 0 ] || break
done
blame
over "$code"`

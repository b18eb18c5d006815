import { RemoteTimeout } from '../errors.ts'
import type { Docker } from '../host.ts'

/** What is run in a container has this in its environment, and so has all that it begins. */
export const markVariable = 'SLIPWAY_MARK'

/**
 * Runs in a container, by whatever sh is there: Docker itself ends nothing when whoever asked for it is gone. Ends all that
 * carries the mark, or runs in a session with something that does: some clear their environment, and that of another
 * user cannot be read, but then the one who began them can be. Constant: the mark comes as an argument. Asks, and a
 * second later insists.
 */
export const killScript = String.raw`
mark=$1

# Whether one of the lines of a file holds something. The shell drops the NULs that stand between the words.
holds() {
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in $2) return 0 ;; esac
  done 2>/dev/null <"$1"
  return 1
}

# Sets session; to nothing when it has ended and was only not buried yet.
sessionof() {
  line= session=
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return
  set -- ${'$'}{line##*) }
  case $1 in Z | X) ;; *) session=$4 ;; esac
}

look() {
  sessions=' ' found=
  for folder in /proc/[0-9]*; do
    pid=${'$'}{folder#/proc/}
    [ "$pid" != $$ ] || continue
    holds "$folder/environ" "*${markVariable}=$mark*" || holds "$folder/cmdline" "sh-c*slipway-$mark*" || continue
    sessionof "$pid"
    [ -z "$session" ] || found="$found $pid"
    case $session in '' | 0 | 1) ;; *) sessions="$sessions$session " ;; esac
  done
  [ "$sessions" != ' ' ] || return
  for folder in /proc/[0-9]*; do
    pid=${'$'}{folder#/proc/}
    sessionof "$pid"
    [ -z "$session" ] || case $sessions in *" $session "*) found="$found $pid" ;; esac
  done
}

n=0
while look; [ -n "$found" ] && [ "$n" -lt 40 ]; do
  # What is stopped hears the first signal once it goes on.
  if [ "$n" -eq 0 ]; then kill -TERM $found; kill -CONT $found; fi 2>/dev/null
  [ "$n" -lt 8 ] || kill -KILL $found 2>/dev/null
  n=$((n + 1))
  sleep 0.1 2>/dev/null || sleep 1
done
[ -z "$found" ]`

/** What is run there is the container's own, and may never end. */
const patience = 30_000

/** Ends all that carries the mark in a container. Throws `DockerError` when nothing can be run there. */
export async function killMarkedProcesses(docker: Docker, container: string, mark: string): Promise<void> {
  const { Id } = await docker.json<{ Id: string }>({
    method: 'POST',
    path: `/containers/${container}/exec`,
    body: { AttachStdout: true, AttachStderr: true, Cmd: ['sh', '-c', killScript, 'sh', mark] },
  })
  const said = await docker.stream({
    method: 'POST',
    path: `/exec/${Id}/start`,
    body: { Detach: false, Tty: false },
  })
  const late = setTimeout(
    () =>
      said.destroy(
        new RemoteTimeout(`Processes in the container did not stop within ${patience / 1_000} seconds.`),
      ),
    patience,
  )
  // It says nothing; but it has ended when there is no more to read.
  await said
    .resume()
    .toArray()
    .finally(() => clearTimeout(late))
}

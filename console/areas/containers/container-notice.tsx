import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { healthWord, stateWord } from './container-words.ts'
import type { ContainerDetails } from './queries.ts'

/** Why a container does not run as it should, in Docker's words where it has some. Nothing while all is well. */
export function ContainerNotice({ container }: { container: ContainerDetails }) {
  const { name, state, error, oom_killed: outOfMemory, exit_code: code, restarts, health } = container
  const { health_output: output } = container
  if (error !== null) return <Told title={`${name} could not be started`}>Docker says: {error}</Told>
  // Docker remembers it of the run before, too.
  if (outOfMemory && state !== 'running' && state !== 'paused')
    return (
      <Told title={`${name} ran out of memory`}>
        The kernel killed it because it used more memory than it was given. Give it more, or have it use less.
      </Told>
    )
  if (state === 'restarting')
    return (
      <Told title={`${name} keeps ending`}>
        {code === null ? 'It ended' : `It ended with code ${code}`}, and Docker starts it again, by now{' '}
        {restarts === 1 ? 'once' : `${restarts} times`}. Its log says more.
      </Told>
    )
  if (state === 'dead')
    return (
      <Told title={`${name} is dead`}>
        Docker could not remove all of it. Remove it again; if that fails, restart Docker on the server.
      </Told>
    )
  if (state === 'exited' && stateWord(container)[0] === 'red')
    return (
      <Told title={`${name} ended with code ${code}`}>
        {exits[code ?? 0] ?? 'A program that ends well says 0. Its log says more.'}
      </Told>
    )
  if (health === 'unhealthy' && healthWord(container))
    return (
      <Told title={`${name} is unhealthy`}>
        {container.masked
          ? 'Its health check fails. Your role does not show its output.'
          : output === null
            ? 'Its health check fails without output.'
            : 'Its health check fails. Its last output:'}
        {output !== null && (
          <pre className="mt-1 font-mono text-xs whitespace-pre-wrap" dir="ltr">
            {output}
          </pre>
        )}
      </Told>
    )
  return null
}

/** What a shell means by them. */
const exits: Record<number, string> = {
  125: 'Docker itself could not run it.',
  126: 'Its command is no program that can be run.',
  127: 'Its command was not found in the image.',
  139: 'It crashed: it touched memory that was not its own.',
}

const Told = ({ title, children }: { title: string; children: ReactNode }) => (
  <Notice tone="red" title={title}>
    {children}
  </Notice>
)

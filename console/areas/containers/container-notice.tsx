import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { healthWord, stateWord } from './container-words.ts'
import type { ContainerDetails } from './queries.ts'

/** Explains why a container is not running or unhealthy. */
export function ContainerNotice({ container }: { container: ContainerDetails }) {
  const { name, state, error, oom_killed: outOfMemory, exit_code: code, restarts, health } = container
  const { health_output: output } = container
  if (error !== null) return <Told title={`${name} could not be started`}>Docker error: {error}</Told>
  // Docker keeps the flag of the previous run.
  if (outOfMemory && state !== 'running' && state !== 'paused')
    return (
      <Told title={`${name} ran out of memory`}>
        The kernel killed it because it exceeded its memory limit. Raise the limit or reduce its memory usage.
      </Told>
    )
  if (state === 'restarting')
    return (
      <Told title={`${name} keeps restarting`}>
        {code === null ? 'The container exited' : `The container exited with code ${code}`}. Docker has
        restarted it {restarts === 1 ? 'once' : `${restarts} times`}. Check the log.
      </Told>
    )
  if (state === 'dead')
    return (
      <Told title={`${name} is dead`}>
        Docker could not remove it completely. Remove it again; if that fails, restart Docker on the server.
      </Told>
    )
  if (state === 'exited' && stateWord(container)[0] === 'red')
    return (
      <Told title={`${name} exited with code ${code}`}>
        {exits[code ?? 0] ?? 'Check the log for the reason.'}
      </Told>
    )
  if (health === 'unhealthy' && healthWord(container))
    return (
      <Told title={`${name} is unhealthy`}>
        {container.masked
          ? 'The health check fails. Your role cannot see its output.'
          : output === null
            ? 'The health check fails without output.'
            : 'The health check fails. Last output:'}
        {output !== null && (
          <pre className="mt-1 font-mono text-xs whitespace-pre-wrap" dir="ltr">
            {output}
          </pre>
        )}
      </Told>
    )
  return null
}

/** Exit codes of Docker and shells. */
const exits: Record<number, string> = {
  125: 'Docker could not run the container.',
  126: 'The command is not executable.',
  127: 'The command was not found in the image.',
  139: 'The program crashed (segmentation fault).',
}

const Told = ({ title, children }: { title: string; children: ReactNode }) => (
  <Notice tone="red" title={title}>
    {children}
  </Notice>
)

import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { containerHealthLabel, containerStateLabel } from './container-state.ts'
import type { ContainerDetails } from './queries.ts'
import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { AddressText } from '../../lib/address.tsx'

export function ContainerNotice({ container }: { container: ContainerDetails }) {
  const { name, state, error, oom_killed: outOfMemory, exit_code: code, restarts, health } = container
  const { health_output: output } = container
  if (error !== null)
    return <ProblemNotice title={`Could not start ${name}`}>Docker error: {error}</ProblemNotice>
  // Docker keeps the out-of-memory flag of the previous run when the container runs again.
  if (outOfMemory && state !== 'running' && state !== 'paused')
    return (
      <ProblemNotice title={`${name} ran out of memory`}>
        The kernel killed the container because it exceeded its memory limit. Increase the limit or reduce
        memory usage.
      </ProblemNotice>
    )
  if (state === 'restarting')
    return (
      <ProblemNotice title={`${name} keeps restarting`}>
        {code === null ? 'The container exited' : `The container exited with code ${code}`}. Docker has
        restarted it {restarts === 1 ? 'once' : `${restarts} times`}. Check the log.
      </ProblemNotice>
    )
  if (state === 'dead')
    return (
      <ProblemNotice title={`${name} is dead`}>
        Docker could not completely remove the container. Remove it again. If that fails, restart Docker on
        the server.
      </ProblemNotice>
    )
  if (state === 'exited' && containerStateLabel(container)[0] === 'red')
    return (
      <ProblemNotice title={`${name} exited with code ${code}`}>
        {exits[code ?? 0] ?? 'Check the log for details.'}
      </ProblemNotice>
    )
  if (health === 'unhealthy' && containerHealthLabel(container))
    return (
      <ProblemNotice title={`${name} is unhealthy`}>
        {container.masked
          ? 'The health check is failing. Your role cannot view its output.'
          : output === null
            ? 'The health check is failing and printed no output.'
            : 'The health check is failing. Last output:'}
        {output !== null && (
          <pre className="mt-1 font-mono text-xs whitespace-pre-wrap" dir="ltr">
            <AddressText>{output}</AddressText>
          </pre>
        )}
      </ProblemNotice>
    )
  return null
}

const exits: Record<number, string> = {
  125: 'Docker could not run the container.',
  126: 'The command is not executable.',
  127: 'The command was not found in the image.',
  139: 'The program crashed (segmentation fault).',
}

const ProblemNotice = ({ title, children }: { title: string; children: ReactNode }) => (
  <Notice tone="red" title={title}>
    {children}
  </Notice>
)

interface LastSeenProps {
  serverId: string
  name: string
  removed: boolean
  why: string
  onRetry: () => void
}

export function LastKnownNotice({ serverId, name, removed, why: reason, onRetry }: LastSeenProps) {
  if (removed)
    return (
      <Notice
        tone="neutral"
        title={`${name} was removed`}
        action={<ButtonLink to={serverPath(serverId, 'containers')}>All containers</ButtonLink>}
      >
        Showing the last known state.
      </Notice>
    )
  return (
    <Notice
      tone="yellow"
      title={`Status of ${name} is unknown`}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {reason || 'The request failed.'} Showing the last known state.
    </Notice>
  )
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw, Square, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { containerPath } from '../../paths.ts'
import { stripAnsi } from '../../ui/ansi/ansi.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../../contract/shared/duration.ts'
import { CommandBadge, commandError, startError } from './command-status.tsx'
import { type CommandWithOutput, commandQuery, useCancelCommand, useRunCommand } from './queries.ts'
import { useOutput } from '../../lib/use-output.ts'
import { OutputLog } from '../../ui/output-log.tsx'
import { separateStreams } from './separate-streams.ts'
import { ErrorText } from '../../ui/problem.tsx'

interface CommandCardProps {
  serverId: string
  id: string
  onRun: (command: CommandWithOutput) => void
  onClose: () => void
}

/** Shows one command. Render it with the command ID as key, so that another command starts with fresh state. */
export function CommandCard({ serverId, id, onRun, onClose }: CommandCardProps) {
  const query = useQuery(commandQuery(serverId, id))
  const { data: command } = query
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <div ref={box} className="scroll-mt-16">
      {command ? (
        <Shown serverId={serverId} command={command} onRun={onRun} onClose={onClose} />
      ) : (
        <QueryFallback
          query={query}
          failed="Could not load command"
          card
          skeleton={
            <Card title={<Skeleton className="h-4 w-48" />}>
              <Skeleton className="h-24 w-full" />
            </Card>
          }
        />
      )}
    </div>
  )
}

function Shown({
  serverId,
  command,
  onRun,
  onClose,
}: Omit<CommandCardProps, 'id'> & { command: CommandWithOutput }) {
  const running = command.status === 'running'
  const cancel = useCancelCommand(serverId, command.id)
  const { command: text, timeout_seconds, container_id: containerId } = command
  const again = useRunCommand(serverId, containerId)
  const error = again.error ? startError(again.error) : commandError(command)
  return (
    <Card
      title={
        <span className="line-clamp-3 font-mono text-sm font-medium whitespace-pre-wrap" dir="ltr">
          {text}
        </span>
      }
      description={<About serverId={serverId} command={command} />}
      action={
        <div className="flex flex-wrap items-center gap-2">
          <CommandBadge command={command} />
          {running && (
            <Button size="small" pending={cancel.isPending && 'Canceling…'} onClick={() => cancel.mutate()}>
              <Square aria-hidden />
              Cancel
            </Button>
          )}
          {!running && command.output !== '' && (
            <CopyButton text={() => stripAnsi(command.output)} label="Copy output" />
          )}
          {!running && (
            <Button
              size="small"
              pending={again.isPending && 'Starting…'}
              onClick={() => again.mutate({ command: text, timeout_seconds }, { onSuccess: onRun })}
            >
              <RotateCw aria-hidden />
              Run again
            </Button>
          )}
          <Button variant="ghost" size="small" icon aria-label="Close command" onClick={onClose}>
            <X aria-hidden />
          </Button>
        </div>
      }
    >
      <div className="flex flex-col gap-3">
        {error !== undefined && <ErrorText error={{ message: error }} />}
        <CommandOutput
          key={command.id}
          serverId={serverId}
          id={command.id}
          running={running}
          apart={containerId !== null}
        />
      </div>
    </Card>
  )
}

function About({ serverId, command }: { serverId: string; command: CommandWithOutput }) {
  const { actor, created_at: from, finished_at: to, truncated, container_id: containerId } = command
  return (
    <>
      Run by <bdi>{actor.name}</bdi>
      {containerId !== null && (
        <>
          {' '}
          in{' '}
          <TextLink to={containerPath(serverId, containerId)}>
            {command.container_name ?? containerId.slice(0, 12)}
          </TextLink>
        </>
      )}
      , <Time at={from} />
      {to !== null && `, took ${formatElapsed(from, to)}`}.{truncated && ' The output is truncated.'}
    </>
  )
}

/** Maximum number of lines on screen. More would slow down the page; the full output can be copied. */
const maxLines = 2_000

interface CommandOutputProps {
  serverId: string
  id: string
  running: boolean
  apart: boolean
}

/**
 * Shows the output of a command. Render it with the command ID as key, so that another command starts with fresh state.
 */
function CommandOutput({ serverId, id, running, apart }: CommandOutputProps) {
  const params = { id: serverId, command_id: id }
  const {
    lines: received,
    over,
    lost,
  } = useOutput('GET /v1/servers/{id}/commands/{command_id}/output', params)
  const lines = apart ? separateStreams(received) : received
  const client = useQueryClient()
  useEffect(() => {
    // The exit code is known when the output ends, so refetch the command.
    if (over && running) void client.invalidateQueries({ queryKey: ['commands'] })
  }, [over, running, client])
  const hidden = Math.max(0, lines.length - maxLines)
  return (
    <div className="flex flex-col gap-2">
      {hidden > 0 && (
        <p className="text-sm text-muted">
          Showing the last {maxLines.toLocaleString('en')} of {lines.length.toLocaleString('en')} lines.
        </p>
      )}
      <OutputLog
        label="Output"
        lines={lines.slice(hidden)}
        empty={over ? 'No output.' : 'Waiting for output…'}
      />
      {lost && !over && <p className="text-sm text-muted">Reconnecting…</p>}
    </div>
  )
}

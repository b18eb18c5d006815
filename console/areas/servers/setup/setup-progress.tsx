import { listSetupSteps, type Step, type StepState, stepStateLabel } from './setup-steps.ts'
import { isSetupInProgress, type Setup, setupQuery } from './setups.ts'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { useOutput } from '../../../lib/use-output.ts'
import { OutputLog } from '../../../ui/output-log.tsx'
import { Check, Circle, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorText } from '../../../ui/problem.tsx'
import { AddressText } from '../../../lib/address.tsx'

interface SetupProgressProps {
  serverId: string
  setup: Setup
  before?: readonly Step[]
  silent?: boolean
}

export const SetupProgress = ({ serverId, setup, before = [], silent }: SetupProgressProps) => (
  <div className="flex flex-col gap-4">
    <Steps steps={[...before, ...listSetupSteps(setup)]} />
    {setup.error !== null && !silent && <ErrorText error={{ message: setup.error }} />}
    <SetupWarnings setup={setup} />
    <SetupLog key={setup.id} serverId={serverId} running={isSetupInProgress(setup)} />
  </div>
)

/** Streams the setup log. Use the setup ID as React key. */
function SetupLog({ serverId, running }: { serverId: string; running: boolean }) {
  const { lines, over, lost } = useOutput('GET /v1/servers/{id}/setup/log', { id: serverId })
  const client = useQueryClient()
  useEffect(() => {
    // The setup has its final status when the log ends, so refetch the setup.
    if (over) void client.invalidateQueries({ queryKey: setupQuery(serverId).queryKey })
  }, [over, client, serverId])
  return (
    <div className="relative">
      <OutputLog
        fixed
        label="Setup log"
        lines={lines}
        empty={running || !over ? 'Waiting for output…' : 'No output'}
      />
      {lost && !over && (
        <p className="absolute top-px right-px rounded-md bg-subtle px-3 py-1 text-sm text-muted">
          Reconnecting…
        </p>
      )}
    </div>
  )
}

const icons: Record<StepState, { Icon: typeof Check; className: string }> = {
  done: { Icon: Check, className: 'text-green' },
  warned: { Icon: TriangleAlert, className: 'text-yellow' },
  now: { Icon: LoaderCircle, className: 'animate-spin text-yellow' },
  failed: { Icon: X, className: 'text-red' },
  waiting: { Icon: Circle, className: 'text-faint' },
}

export const Steps = ({ steps }: { steps: readonly Step[] }) => (
  <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-2">
    {steps.map(({ name, label, state }) => {
      const { Icon, className } = icons[state]
      return (
        <li
          key={name}
          {...(state === 'now' ? { 'aria-current': 'step' } : {})}
          className={classNames('flex items-center gap-1.5 text-sm', state === 'waiting' && 'text-muted')}
        >
          <Icon className={classNames('size-4', className)} aria-hidden />
          {label}
          <span className="sr-only">, {stepStateLabel(state)}</span>
        </li>
      )
    })}
  </ol>
)

interface SetupWarningsProps {
  setup: Pick<Setup, 'warnings'>
  action?: ReactNode
}

export function SetupWarnings({ setup: { warnings }, action }: SetupWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <Notice
      tone="yellow"
      title={
        warnings.length === 1
          ? 'Setup finished with a warning'
          : `Setup finished with ${warnings.length} warnings`
      }
      action={action}
    >
      {warnings.map(({ text }) => (
        <p key={text}>
          <AddressText>{text}</AddressText>
        </p>
      ))}
    </Notice>
  )
}

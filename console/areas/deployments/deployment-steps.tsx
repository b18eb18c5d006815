import { Check, ChevronRight, Circle, CircleDashed, LoaderCircle, Undo2, X } from 'lucide-react'
import { useMedia } from '../../lib/use-media.ts'
import { classNames } from '../../ui/class-names.ts'
import { stepLabel, stepState, stepsSummary } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'
import { DeploymentDuration } from './duration.tsx'

type Step = Deployment['steps'][number]

const statusIcons: Record<Step['status'], { Icon: typeof Check; look: string }> = {
  waiting: { Icon: Circle, look: 'text-faint' },
  running: { Icon: LoaderCircle, look: 'animate-spin text-yellow' },
  completed: { Icon: Check, look: 'text-green' },
  failed: { Icon: X, look: 'text-red' },
  undone: { Icon: Undo2, look: 'text-yellow' },
  skipped: { Icon: CircleDashed, look: 'text-faint' },
}

/** Shows the steps with their durations; collapsed on phones, to leave room for the log. */
export function DeploymentSteps({ deployment }: { deployment: Deployment }) {
  const phone = useMedia('(max-width: 639px)')
  if (!phone) return <Steps deployment={deployment} />
  return (
    <details className="group text-sm">
      <summary className="flex min-h-8 cursor-pointer list-none items-center gap-1.5 font-medium">
        <ChevronRight className="size-4 shrink-0 text-muted group-open:rotate-90" aria-hidden />
        {stepsSummary(deployment)}
      </summary>
      <div className="pt-1 pl-5.5">
        <Steps deployment={deployment} />
      </div>
    </details>
  )
}

function Steps({ deployment }: { deployment: Deployment }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-2">
      {deployment.steps.map(({ name, status, error, started_at: from, finished_at: to }) => {
        const { Icon, look } = statusIcons[status]
        return (
          <li
            key={name}
            title={error ?? undefined}
            {...(status === 'running' ? { 'aria-current': 'step' } : {})}
            className={classNames('flex items-center gap-1.5 text-sm', isIdle(status) && 'text-muted')}
          >
            <Icon className={classNames('size-4 shrink-0', look)} aria-hidden />
            {stepLabel(name, deployment)}
            <span className="sr-only">, {stepState(status)}</span>
            {from !== null && !isIdle(status) && (
              <span className="text-muted">
                <DeploymentDuration from={from} to={to} />
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

const isIdle = (status: Step['status']) => status === 'waiting' || status === 'skipped'

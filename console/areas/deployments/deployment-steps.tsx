import { Check, ChevronRight, Circle, CircleDashed, LoaderCircle, Undo2, X } from 'lucide-react'
import { useMaskedText } from '../../lib/address.tsx'
import { useMedia } from '../../lib/use-media.ts'
import { classNames } from '../../ui/class-names.ts'
import { DeploymentDuration } from './deployment-badge.tsx'
import { stepLabel, stepsSummary, stepState } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'

type Step = Deployment['steps'][number]

const looks: Record<Step['status'], { Icon: typeof Check; icon: string; bar: string }> = {
  waiting: { Icon: Circle, icon: 'text-faint', bar: 'bg-pressed' },
  running: { Icon: LoaderCircle, icon: 'animate-spin text-yellow', bar: 'animate-breathe bg-yellow' },
  completed: { Icon: Check, icon: 'text-green', bar: 'bg-green' },
  failed: { Icon: X, icon: 'text-red', bar: 'bg-red' },
  undone: { Icon: Undo2, icon: 'text-yellow', bar: 'bg-yellow' },
  skipped: { Icon: CircleDashed, icon: 'text-faint', bar: 'bg-pressed' },
}

/** Shows one segment per step, which phones collapse to a summary. */
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
  const mask = useMaskedText()
  return (
    <ol aria-label="Steps" className="flex gap-1 max-sm:flex-col max-sm:gap-2">
      {deployment.steps.map(({ name, status, error, started_at: from, finished_at: to }) => {
        const { Icon, icon, bar } = looks[status]
        return (
          <li
            key={name}
            title={error === null ? undefined : mask(error)}
            {...(status === 'running' ? { 'aria-current': 'step' } : {})}
            className={classNames(
              'flex min-w-0 flex-1 flex-col gap-1.5 text-sm',
              isIdle(status) && 'text-muted',
            )}
          >
            <span aria-hidden className={classNames('h-1 rounded-full max-sm:hidden', bar)} />
            <span className="flex min-w-0 gap-1.5 pr-1">
              <Icon className={classNames('mt-0.5 size-4 shrink-0', icon)} aria-hidden />
              <span className="flex min-w-0 flex-col max-sm:flex-row max-sm:gap-2">
                <span className="leading-5">{stepLabel(name, deployment)}</span>
                <span className="sr-only">, {stepState(status)}</span>
                {from !== null && !isIdle(status) && (
                  <span className="text-muted">
                    <DeploymentDuration from={from} to={to} />
                  </span>
                )}
              </span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const isIdle = (status: Step['status']) => status === 'waiting' || status === 'skipped'

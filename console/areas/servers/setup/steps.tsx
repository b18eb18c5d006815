import { Check, Circle, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { classNames } from '../../../ui/class-names.ts'
import { type Step, type StepState, stepStateLabel } from './step-state.ts'

const icons: Record<StepState, { Icon: typeof Check; look: string }> = {
  done: { Icon: Check, look: 'text-green' },
  warned: { Icon: TriangleAlert, look: 'text-yellow' },
  now: { Icon: LoaderCircle, look: 'animate-spin text-yellow' },
  failed: { Icon: X, look: 'text-red' },
  waiting: { Icon: Circle, look: 'text-faint' },
}

export function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-2">
      {steps.map(({ name, label, state }) => {
        const { Icon, look } = icons[state]
        return (
          <li
            key={name}
            {...(state === 'now' ? { 'aria-current': 'step' } : {})}
            className={classNames('flex items-center gap-1.5 text-sm', state === 'waiting' && 'text-muted')}
          >
            <Icon className={classNames('size-4', look)} aria-hidden />
            {label}
            <span className="sr-only">, {stepStateLabel(state)}</span>
          </li>
        )
      })}
    </ol>
  )
}

import { Check, Circle, LoaderCircle, TriangleAlert, X } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import { type StepState, stateWord, stepsOf } from './setup-words.ts'
import type { Setup } from './setups.ts'

const icons: Record<StepState, { Icon: typeof Check; look: string }> = {
  done: { Icon: Check, look: 'text-green' },
  warned: { Icon: TriangleAlert, look: 'text-yellow' },
  now: { Icon: LoaderCircle, look: 'animate-spin text-yellow' },
  failed: { Icon: X, look: 'text-red' },
  waiting: { Icon: Circle, look: 'text-faint' },
}

export function SetupSteps({ setup }: { setup: Pick<Setup, 'status' | 'step' | 'warnings'> }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap gap-x-5 gap-y-2">
      {stepsOf(setup).map(({ name, label, state }) => {
        const { Icon, look } = icons[state]
        return (
          <li
            key={name}
            {...(state === 'now' ? { 'aria-current': 'step' } : {})}
            className={classNames('flex items-center gap-1.5 text-sm', state === 'waiting' && 'text-muted')}
          >
            <Icon className={classNames('size-4', look)} aria-hidden />
            {label}
            <span className="sr-only">, {stateWord(state)}</span>
          </li>
        )
      })}
    </ol>
  )
}
